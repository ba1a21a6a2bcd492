/** Entry point: reads the settings, finds the container and starts the flow. */
import { createApi } from './api.js';
import { notifyPage } from './callback.js';
import { createCard } from './card.js';
import { logError } from './developer.js';
import { createFlow } from './flow.js';
import { attachRoot } from './container.js';
import { findScript, readSettings } from './settings.js';
import { failure } from './views/states.js';

/** Required attributes that are missing. */
function missing({ appKey, identity }: { appKey: string; identity: string }): string[] {
  return [appKey ? '' : 'data-appkey', identity ? '' : 'data-emailid'].filter(Boolean);
}

async function start(script: HTMLScriptElement): Promise<void> {
  const settings = readSettings(script);
  const root = await attachRoot(script);
  if (!root) return;
  const languages = [settings.language, document.documentElement.lang, ...navigator.languages];
  const card = createCard(root, { languages, languageFolder: settings.languageFolder });
  // Runs while the state is requested. Usually, the application has the same language or none.
  const ready = card.applyDesign({}).then(() => card.announce(card.texts.loading));
  const absent = missing(settings);
  if (absent.length > 0) {
    const message = `the script tag has no ${absent.join(' and no ')}`;
    logError(message);
    await ready;
    card.show(failure(card, 'misplaced', undefined));
    return notifyPage({ success: false, message, code: 'MISSING_PARAMETERS' });
  }
  await createFlow({ api: createApi(settings), card, identity: settings.identity, ready }).begin();
}

const script = findScript();
if (script) void start(script);
else logError('load the widget with <script src="…/js/v1/auth-2fasdk.js"> in the page.');
