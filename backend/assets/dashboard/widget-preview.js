/**
 * The document of the widget preview, in a sandboxed frame. It embeds the real widget and replaces `fetch` with sample replies, so
 * that no request leaves the frame. The parent page posts the design and the state to show, and receives the height.
 */
const samples = JSON.parse(document.getElementById('samples').textContent);
const { script, person } = document.getElementById('samples').dataset;

const press = (selector) => ({ needs: selector, act: (root) => root.querySelector(selector).click() });

const enterCode = {
  needs: '#code',
  act(root) {
    const field = root.querySelector('#code');
    field.value = '123456';
    field.dispatchEvent(new Event('input'));
  },
};

/** For each state: whether 2FA is on, the steps that lead to it, and a selector that matches once it is reached. */
const STATES = {
  enroll: { on: false, ends: '.qr:not([hidden])' },
  confirm: { on: false, steps: [press('button.main')], ends: '#code' },
  codes: { on: false, steps: [press('button.main'), enterCode], ends: '.codes' },
  enter: { on: true, ends: '#code' },
  recovery: { on: true, steps: [press('button.plain')], ends: '#code.wide' },
  wrong: { on: true, steps: [enterCode], verify: 'wrong', ends: '.problem:not(:empty)' },
  verified: { on: true, steps: [enterCode], ends: '.good' },
  locked: { on: true, steps: [enterCode], verify: 'locked', ends: '.timer' },
  error: { on: true, steps: [enterCode], verify: 'broken', ends: '.bad' },
};

const TIMEOUT_MS = 3000;

let shown = { design: {}, state: 'enroll' };
/** True while the steps run. The widget must not take the focus from the form beside the frame. */
let automated = false;
let enrolled = false;

const { focus } = HTMLElement.prototype;
HTMLElement.prototype.focus = function (...options) {
  if (!automated) focus.apply(this, options);
};

function sampleReply(name) {
  const { on, verify } = STATES[shown.state];
  switch (name) {
    case 'authstate':
      return { ...(on || enrolled ? samples.on : samples.off), design: shown.design };
    case 'enable2fa':
      return samples.enable;
    case 'disable2fa':
      enrolled = false;
      return samples.disabled;
    default:
      // Codes that the person enters afterwards are accepted, so that the next states can be viewed.
      if (verify && automated) return samples[verify];
      if (on || enrolled) return samples.verified;
      enrolled = true;
      return samples.enrolled;
  }
}

globalThis.fetch = async (address) => {
  const [name, extension] = new URL(address).pathname.split('/').at(-1).split('.');
  const body = JSON.stringify(extension === 'json' ? samples.texts[name] : sampleReply(name));
  return new Response(body, { headers: { 'Content-Type': 'application/json' } });
};
globalThis.serviceResponse = () => undefined;

/** Waits for an element of the widget. Does not poll, because browsers throttle timers in frames that are not visible. */
function waitFor(root, selector) {
  return new Promise((resolve) => {
    const check = () => {
      if (!root.querySelector(selector)) return;
      observer.disconnect();
      clearTimeout(timer);
      resolve();
    };
    const observer = new MutationObserver(check);
    observer.observe(root, { childList: true, subtree: true, attributes: true, characterData: true });
    const timer = setTimeout(() => {
      observer.disconnect();
      resolve();
    }, TIMEOUT_MS);
    check();
  });
}

/** Embeds another widget, invisibly, and returns its container once the script has run. */
async function embed() {
  // The widget uses the first element with this id.
  for (const old of document.querySelectorAll('#service-2fasdk')) old.removeAttribute('id');
  const container = document.createElement('div');
  container.id = 'service-2fasdk';
  container.className = 'coming';
  document.body.prepend(container);
  const tag = document.createElement('script');
  Object.assign(tag.dataset, { appkey: 'preview', emailid: person });
  tag.src = script;
  const loaded = new Promise((resolve) => tag.addEventListener('load', resolve));
  document.body.append(tag);
  await loaded;
  tag.remove();
  return container;
}

let runs = 0;

/** Shows the state. A later call cancels an earlier one. */
async function show() {
  const run = ++runs;
  automated = true;
  enrolled = false;
  const { steps = [], ends } = STATES[shown.state];
  const container = await embed();
  for (const { needs, act } of [...steps, { needs: ends, act() {} }]) {
    await waitFor(container.shadowRoot, needs);
    if (run !== runs) return container.remove();
    act(container.shadowRoot);
  }
  automated = false;
  for (const other of document.querySelectorAll('body > div')) if (other !== container) other.remove();
  container.classList.remove('coming');
  const dark = container.shadowRoot.querySelector('.card').dataset.theme === 'dark';
  document.documentElement.classList.toggle('dark', dark);
  document.documentElement.dataset.shows = shown.state;
  postHeight();
}

const postHeight = () => parent.postMessage({ height: document.body.getBoundingClientRect().height }, '*');
new ResizeObserver(postHeight).observe(document.body);

addEventListener('message', ({ source, data }) => {
  if (source !== parent || !Object.hasOwn(STATES, data?.state)) return;
  shown = data;
  void show();
});
parent.postMessage({ ready: true }, '*');
