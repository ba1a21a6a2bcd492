/** The frame around every view: style, title, screen reader announcements and focus. */
import { h, icon, spinner } from './dom.js';
import { applyColors, type Design } from './design.js';
import { ENGLISH, loadLanguage, selectLanguage } from './language.js';
import type { Texts } from './languages/en.js';
import style from './style.css';

/** One state of the widget. */
export interface View {
  readonly title: string;
  readonly tone?: 'good' | 'bad';
  readonly body: readonly (Node | undefined)[];
  /** Element that gets the focus; the title by default. */
  readonly focus?: HTMLElement;
  /** Called when the view is replaced. */
  readonly cleanUp?: () => void;
}

export interface Card {
  /** The texts in the current language, with the overrides of the application. */
  readonly texts: Texts;
  /** The title of the application; may be empty. */
  readonly title: string;
  show(view: View): void;
  /** Announces a text to screen readers. */
  announce(text: string): void;
  /** Applies the application's design and language, starting with the next view. Loads the texts of the language. */
  applyDesign(design: Design): Promise<void>;
}

const TONE_ICONS = {
  good: 'M12 2 4 5v6c0 5 3.4 9.3 8 11 4.6-1.7 8-6 8-11V5zm-3.5 10 2.5 2.5 4.5-5',
  bad: 'M12 8v5m0 3.2v.1M10.3 3.9 2.2 18a2 2 0 0 0 1.7 3h16.2a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0z',
};

export interface CardOptions {
  /** The language of the script tag, if any, and then the languages of the page and the browser. */
  readonly languages: readonly (string | undefined)[];
  /** URL of the folder of the languages. */
  readonly languageFolder: string;
}

/** Creates a card that shows a spinner without words, because the language of the application is still unknown. */
export function createCard(root: ShadowRoot, { languages, languageFolder }: CardOptions): Card {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  root.adoptedStyleSheets = [sheet];

  const [tagLanguage, ...userLanguages] = languages;
  let language = ENGLISH;
  let { texts } = language;
  let title = '';
  let leave: (() => void) | undefined;

  const logo = h('img', { class: 'logo', alt: '', hidden: true });
  const brand = h('p', { class: 'brand', hidden: true });
  const view = h('div', { class: 'view' }, spinner());
  const announcement = h('p', { class: 'heard', role: 'status' });
  const card = h('section', { class: 'card', 'aria-labelledby': 'title' }, logo, brand, view, announcement);
  // Hides a logo that the page's policy or the network blocks.
  logo.addEventListener('error', () => (logo.hidden = true));
  logo.addEventListener('load', () => (logo.hidden = false));
  root.append(card);

  applyColors(card, {});

  function say(text: string): void {
    announcement.textContent = text;
  }

  return {
    get texts() {
      return texts;
    },
    get title() {
      return title;
    },

    show(next) {
      leave?.();
      leave = next.cleanUp;
      // The widget does not take the focus from the page until the user has focused the widget.
      const entered = root.activeElement !== null;
      const heading = h('h2', { id: 'title', tabindex: '-1' }, next.title);
      const head = next.tone
        ? h('div', { class: `state ${next.tone}` }, icon(TONE_ICONS[next.tone]), heading)
        : heading;
      view.replaceChildren(head, ...next.body.filter((node) => node !== undefined));
      if (entered) (next.focus ?? heading).focus();
      else say(next.title);
    },

    announce: say,

    async applyDesign(design) {
      const tag = selectLanguage([tagLanguage, design.language, ...userLanguages]);
      if (tag !== language.tag) language = await loadLanguage(tag, languageFolder);
      card.lang = language.tag;
      card.dir = language.direction;
      const overrides = Object.entries(design.texts ?? {}).filter(([, text]) => text !== '');
      texts = { ...language.texts, ...Object.fromEntries(overrides) };
      title = design.title ?? '';
      applyColors(card, design);
      brand.textContent = title;
      brand.hidden = title === '';
      if (design.logoUrl) logo.src = design.logoUrl;
    },
  };
}
