/** A demo site that embeds the widget and shows its callbacks. Text is only inserted as text nodes. */

const $ = (id) => document.getElementById(id);
const parameters = new URLSearchParams(location.search);
const email = parameters.get('email') || 'ana@example.com';
const language = parameters.get('language') || '';

/** Session tokens are credentials, so only their beginning is shown. The page has a button that copies the whole token. */
const shorten = (name, value) => (name === 'token' ? `${value.slice(0, 12)}…` : value);

function copyButton(token) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy token';
  button.addEventListener('click', async () => {
    const copied = await navigator.clipboard.writeText(token).then(
      () => true,
      () => false,
    );
    button.textContent = copied ? 'Copied' : 'Your browser does not allow copying';
  });
  return button;
}

window.serviceResponse = (response) => {
  const entry = document.createElement('article');
  entry.className = response.success ? 'good' : 'bad';
  const time = document.createElement('time');
  time.textContent = new Date().toLocaleTimeString();
  const text = document.createElement('pre');
  text.textContent = JSON.stringify(response, shorten, 2);
  entry.append(time, text, ...(response.data?.token ? [copyButton(response.data.token)] : []));
  $('heard').prepend(entry);
  $('nothing').hidden = true;
};

function showForm() {
  const form = document.querySelector('form');
  form.elements.email.value = email;
  form.elements.language.value = language;
}

function embed(appKey) {
  const src = new URL('../js/v1/auth-2fasdk.js', location.href).href;
  const attributes = { 'data-appkey': appKey, 'data-emailid': email, ...(language && { 'data-language': language }) };
  const lines = Object.entries({ src, ...attributes }).map(([name, value]) => `  ${name}="${value}"`);
  $('snippet').textContent = `<div id="service-2fasdk"></div>\n<script\n${lines.join('\n')}\n></script>`;
  const script = document.createElement('script');
  for (const [name, value] of Object.entries(attributes)) script.setAttribute(name, value);
  script.src = src;
  document.body.append(script);
}

showForm();
const { appKey } = await (await fetch('two-factor.json')).json();
if (appKey) embed(appKey);
else $('no-application').hidden = false;
