/** The script of the tag: finds its settings and its place, and starts. */
import { createApi } from './api.js';
import { tellPage } from './callback.js';
import { createCard } from './card.js';
import { complain } from './developer.js';
import { createFlow } from './flow.js';
import { openPlace } from './place.js';
import { ownScript, readSettings } from './settings.js';
import { trouble } from './views/states.js';

/** Attributes that the tag has to have, and has not. */
function missing({ appKey, identity }: { appKey: string; identity: string }): string[] {
  return [appKey ? '' : 'data-appkey', identity ? '' : 'data-emailid'].filter(Boolean);
}

async function start(script: HTMLScriptElement): Promise<void> {
  const settings = readSettings(script);
  const root = await openPlace(script);
  if (!root) return;
  const page = document.documentElement.lang;
  const card = createCard(root, [settings.language, page, ...navigator.languages]);
  const absent = missing(settings);
  if (absent.length > 0) {
    const message = `the script tag has no ${absent.join(' and no ')}`;
    complain(message);
    card.show(trouble(card, 'misplaced', undefined));
    return tellPage({ success: false, message, code: 'MISSING_PARAMETERS' });
  }
  await createFlow({ api: createApi(settings), card, identity: settings.identity }).begin();
}

const script = ownScript();
if (script) void start(script);
else complain('the widget has to be loaded by a <script src="…/js/v1/auth-2fasdk.js"> of the page.');
