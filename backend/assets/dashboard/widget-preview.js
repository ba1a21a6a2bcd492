/**
 * Plays a page that embeds the widget, in a frame without an origin. The widget is the real one; what it asks the service
 * is answered here with samples, so that nothing leaves this frame and nobody's two-factor is touched. The page around the
 * frame says which design and which state to show, and hears how tall it became.
 */
const samples = JSON.parse(document.getElementById('samples').textContent);
const { script, person } = document.getElementById('samples').dataset;

const press = (selector) => ({ needs: selector, act: (root) => root.querySelector(selector).click() });

const type = {
  needs: '#code',
  act(root) {
    const field = root.querySelector('#code');
    field.value = '123456';
    field.dispatchEvent(new Event('input'));
  },
};

/** Whether two-factor is on in each state, what a person does to come there, and what shows that they have. */
const STATES = {
  enrol: { on: false, ends: '.qr:not([hidden])' },
  confirm: { on: false, steps: [press('button.main')], ends: '#code' },
  codes: { on: false, steps: [press('button.main'), type], ends: '.codes' },
  enter: { on: true, ends: '#code' },
  recovery: { on: true, steps: [press('button.plain')], ends: '#code.wide' },
  wrong: { on: true, steps: [type], verify: 'wrong', ends: '.problem:not(:empty)' },
  verified: { on: true, steps: [type], ends: '.good' },
  locked: { on: true, steps: [type], verify: 'locked', ends: '.timer' },
  error: { on: true, steps: [type], verify: 'broken', ends: '.bad' },
};

/** Longest time that a state may take to come up, in milliseconds. */
const PATIENCE_MS = 3000;

let shown = { design: {}, state: 'enrol' };
/** Whether the steps are being taken: then nothing may take the focus from who types beside the frame. */
let driving = false;
let enrolled = false;

const { focus } = HTMLElement.prototype;
HTMLElement.prototype.focus = function (...options) {
  if (!driving) focus.apply(this, options);
};

function answer(name) {
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
      // What is typed after the state has come up is right, so that one can go on and look.
      if (verify && driving) return samples[verify];
      if (on || enrolled) return samples.verified;
      enrolled = true;
      return samples.enrolled;
  }
}

globalThis.fetch = async (address) => {
  const body = JSON.stringify(answer(new URL(address).pathname.split('/').at(-1)));
  return new Response(body, { headers: { 'Content-Type': 'application/json' } });
};
globalThis.serviceResponse = () => undefined;

/** Waits until the widget shows something. Timers would be slow here: browsers slow them down in frames that are out of sight. */
function comesUp(root, selector) {
  return new Promise((resolve) => {
    const look = () => {
      if (!root.querySelector(selector)) return;
      observer.disconnect();
      clearTimeout(timer);
      resolve();
    };
    const observer = new MutationObserver(look);
    observer.observe(root, { childList: true, subtree: true, attributes: true, characterData: true });
    const timer = setTimeout(() => {
      observer.disconnect();
      resolve();
    }, PATIENCE_MS);
    look();
  });
}

/** Embeds the widget anew, out of sight; answers its place as soon as it draws there. */
async function embed() {
  // The widget looks for the first element with this id.
  for (const old of document.querySelectorAll('#service-2fasdk')) old.removeAttribute('id');
  const place = document.createElement('div');
  place.id = 'service-2fasdk';
  place.className = 'coming';
  document.body.prepend(place);
  const tag = document.createElement('script');
  Object.assign(tag.dataset, { appkey: 'preview', emailid: person });
  tag.src = script;
  const loaded = new Promise((resolve) => tag.addEventListener('load', resolve));
  document.body.append(tag);
  await loaded;
  tag.remove();
  return place;
}

let runs = 0;

/** Shows a state in a design; a later call takes over from one that is on its way. */
async function show() {
  const run = ++runs;
  driving = true;
  enrolled = false;
  const { steps = [], ends } = STATES[shown.state];
  const place = await embed();
  for (const { needs, act } of [...steps, { needs: ends, act() {} }]) {
    await comesUp(place.shadowRoot, needs);
    if (run !== runs) return place.remove();
    act(place.shadowRoot);
  }
  driving = false;
  for (const other of document.querySelectorAll('body > div')) if (other !== place) other.remove();
  place.classList.remove('coming');
  const dark = place.shadowRoot.querySelector('.card').dataset.theme === 'dark';
  document.documentElement.classList.toggle('dark', dark);
  document.documentElement.dataset.shows = shown.state;
  tellHeight();
}

const tellHeight = () => parent.postMessage({ height: document.body.getBoundingClientRect().height }, '*');
new ResizeObserver(tellHeight).observe(document.body);

addEventListener('message', ({ source, data }) => {
  if (source !== parent || !Object.hasOwn(STATES, data?.state)) return;
  shown = data;
  void show();
});
parent.postMessage({ ready: true }, '*');
