'use client';

/** Fills in the code from an SMS that is bound to this site, and sends the form. */
function waitForSms(field) {
  if (!('OTPCredential' in window)) return undefined;
  const waiting = new AbortController();
  const fillIn = ({ code }) => {
    field.value = code;
    field.form.requestSubmit();
  };
  navigator.credentials.get({ otp: { transport: ['sms'] }, signal: waiting.signal }).then(fillIn, () => {});
  return () => waiting.abort();
}

export default function CodeField(props) {
  return <input ref={waitForSms} autoComplete="one-time-code" {...props} />;
}
