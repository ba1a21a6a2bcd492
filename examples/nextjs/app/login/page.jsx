import { cookies } from 'next/headers';
import { messageOf } from '../../lib/passbell';
import CodeField from './code-field';

const TO = { label: 'Phone number or email address', input: { name: 'to', autoComplete: 'tel' } };
const OTP = { label: 'Code', input: { name: 'otp', inputMode: 'numeric' } };

/** Asks for a recipient, and in the next step for the code. */
export default async function Login({ searchParams }) {
  const { step, error, seconds } = await searchParams;
  const to = (await cookies()).get('to')?.value;
  const { label, input } = step === 'verify' ? OTP : { ...TO, input: { ...TO.input, defaultValue: to } };
  return (
    <form method="post" action={step === 'verify' ? '/login/verify' : '/login/send'}>
      <p role="alert">{messageOf(error, seconds)}</p>
      <label>
        {label} {step === 'verify' ? <CodeField {...input} required /> : <input {...input} required />}
      </label>
      <button>Continue</button> <a href="/login">Send another code</a>
    </form>
  );
}
