/** The frame around every view: style, title, what is said aloud, and where the focus goes. */
import { h, icon } from './dom.js';
import { paint, type Design } from './design.js';
import { languageOf, type Language } from './languages/languages.js';
import type { Texts } from './languages/en.js';
import style from './style.css';

/** One state of the widget, as a person sees it. */
export interface View {
  readonly title: string;
  readonly mood?: 'good' | 'bad';
  readonly body: readonly (Node | undefined)[];
  /** What a person uses first; the title without it. */
  readonly focus?: HTMLElement;
  /** Ends what the view has started. */
  readonly leave?: () => void;
}

export interface Card {
  /** The texts in the present language, with the application's own. */
  readonly texts: Texts;
  readonly language: Language;
  /** What the application calls itself; empty without a title. */
  readonly title: string;
  show(view: View): void;
  /** Says a text to screen readers. */
  say(text: string): void;
  /** Puts on the application's look and language, which the view shown next has. */
  dress(design: Design): void;
}

const MOODS = {
  good: 'M12 2 4 5v6c0 5 3.4 9.3 8 11 4.6-1.7 8-6 8-11V5zm-3.5 10 2.5 2.5 4.5-5',
  bad: 'M12 8v5m0 3.2v.1M10.3 3.9 2.2 18a2 2 0 0 0 1.7 3h16.2a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0z',
};

export function createCard(root: ShadowRoot, wishes: readonly (string | undefined)[]): Card {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  root.adoptedStyleSheets = [sheet];

  const [asked, ...habits] = wishes;
  let language = languageOf(...wishes);
  let texts = language.texts;
  let title = '';
  let leave: (() => void) | undefined;

  const logo = h('img', { class: 'logo', alt: '', hidden: true });
  const brand = h('p', { class: 'brand', hidden: true });
  const view = h('div', { class: 'view' });
  const spoken = h('p', { class: 'heard', role: 'status' });
  const card = h('section', { class: 'card', 'aria-labelledby': 'title' }, logo, brand, view, spoken);
  // A picture that the page's policy or the network keeps away leaves no hole.
  logo.addEventListener('error', () => (logo.hidden = true));
  logo.addEventListener('load', () => (logo.hidden = false));
  root.append(card);

  const speak = () => {
    card.lang = language.tag;
    card.dir = language.direction;
  };
  speak();
  paint(card, {});

  function say(text: string): void {
    spoken.textContent = text;
  }

  return {
    get texts() {
      return texts;
    },
    get language() {
      return language;
    },
    get title() {
      return title;
    },

    show(next) {
      leave?.();
      leave = next.leave;
      // The page keeps its focus until the person has come into the widget.
      const entered = root.activeElement !== null;
      const heading = h('h2', { id: 'title', tabindex: '-1' }, next.title);
      const head = next.mood ? h('div', { class: `state ${next.mood}` }, icon(MOODS[next.mood]), heading) : heading;
      view.replaceChildren(head, ...next.body.filter((node) => node !== undefined));
      if (entered) (next.focus ?? heading).focus();
      else say(next.title);
    },

    say,

    dress(design) {
      language = languageOf(asked, design.language, ...habits);
      const own = Object.entries(design.texts ?? {}).filter(([, text]) => text !== '');
      texts = { ...language.texts, ...Object.fromEntries(own) };
      title = design.title ?? '';
      speak();
      paint(card, design);
      brand.textContent = title;
      brand.hidden = title === '';
      if (design.logoUrl) logo.src = design.logoUrl;
    },
  };
}
