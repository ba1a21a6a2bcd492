/** Passkeys: forms with `data-passkey` ask the browser's authenticator before they are submitted. */
{
  const toBytes = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  const toText = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');
  const withBytes = (credentials = []) => credentials.map((one) => ({ ...one, id: toBytes(one.id) }));

  function create(options) {
    const user = { ...options.user, id: toBytes(options.user.id) };
    const excludeCredentials = withBytes(options.excludeCredentials);
    return navigator.credentials.create({
      publicKey: { ...options, challenge: toBytes(options.challenge), user, excludeCredentials },
    });
  }

  function get(options) {
    const allowCredentials = withBytes(options.allowCredentials);
    return navigator.credentials.get({
      publicKey: { ...options, challenge: toBytes(options.challenge), allowCredentials },
    });
  }

  /** The reply as JSON. Extensions of browsers replace `credential`, and often leave its toJSON() out. */
  function jsonOf(credential) {
    const { id, rawId, type, response } = credential;
    const names = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'];
    const parts = names.filter((name) => response[name]).map((name) => [name, toText(response[name])]);
    return JSON.stringify({
      id,
      type,
      rawId: toText(rawId),
      response: Object.fromEntries(parts),
      clientExtensionResults: credential.getClientExtensionResults?.() ?? {},
    });
  }

  function problemOf({ name }) {
    if (name === 'InvalidStateError') return 'This device already has a passkey for your account.';
    return 'No passkey was used. Try again, or continue without one.';
  }

  async function complete(form, submitter) {
    const problem = form.querySelector('[data-passkey-problem]');
    problem.hidden = true;
    submitter.disabled = true;
    try {
      const options = JSON.parse(form.dataset.options);
      const credential = await (form.dataset.passkey === 'create' ? create(options) : get(options));
      form.querySelector('[data-credential]').value = jsonOf(credential);
      submitter.disabled = false;
      form.requestSubmit(submitter);
    } catch (error) {
      submitter.disabled = false;
      problem.textContent = problemOf(error);
      problem.hidden = false;
    }
  }

  if (window.PublicKeyCredential) {
    for (const form of document.querySelectorAll('[data-passkey]')) form.hidden = false;
    // Before the listener that marks forms as sent.
    document.addEventListener(
      'submit',
      (event) => {
        const form = event.target;
        if (!form.dataset.passkey || form.querySelector('[data-credential]').value !== '') return;
        event.preventDefault();
        event.stopPropagation();
        complete(form, event.submitter);
      },
      true,
    );
  }

  // A reply can be used once.
  addEventListener('pageshow', () => {
    for (const field of document.querySelectorAll('[data-credential]')) field.value = '';
  });
}
