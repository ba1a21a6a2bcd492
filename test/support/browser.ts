/** A real Chromium: of this machine, else installed as root on Debian, else an error that says what to run. */
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { aptInstall, findProgram, thisMachine } from './servers/find.js';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** A machine that installs it first needs minutes. */
export const BROWSER_MS = 10 * 60_000;

const present = (): string | undefined =>
  PROGRAMS.map(findProgram).find(Boolean) ?? (existsSync(MAC) ? MAC : undefined);

async function program(): Promise<string> {
  const named = process.env.TEST_CHROMIUM ?? present();
  if (named) return named;
  const { platform, hasApt, isRoot } = thisMachine();
  if (isRoot && hasApt) {
    process.stderr.write('tests: installing chromium, once …\n');
    await aptInstall('chromium');
    const installed = present();
    if (installed) return installed;
  }
  const advice = platform === 'darwin' ? 'brew install --cask google-chrome' : 'sudo apt-get install -y chromium';
  throw new Error(`The tests need Chromium and found none. Run: ${advice}; or name one in TEST_CHROMIUM`);
}

export async function startBrowser(): Promise<Browser> {
  // Chromium's sandbox does not work for root; what it opens here is our own.
  return chromium.launch({ executablePath: await program(), chromiumSandbox: process.getuid?.() !== 0 });
}
