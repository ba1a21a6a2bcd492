/** Starts Chromium. If it is missing, root installs it with apt; other users get an error with the command to run. */
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { aptInstall, findProgram, thisMachine } from './servers/find.js';
import { LIBRARY_TIMEOUT_MS } from './wait.js';

/** Chromium without its user interface. It needs half of the CPU time. */
const HEADLESS_SHELL = 'chromium-headless-shell';
const PROGRAMS = [HEADLESS_SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_CHROME = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

const findInstalled = (): string | undefined =>
  PROGRAMS.map(findProgram).find(Boolean) ?? (existsSync(MAC_CHROME) ? MAC_CHROME : undefined);

async function chromiumPath(): Promise<string> {
  const existing = process.env.TEST_CHROMIUM ?? findInstalled();
  if (existing) return existing;
  const { platform, hasApt, isRoot } = thisMachine();
  if (isRoot && hasApt) {
    process.stderr.write(`tests: installing ${HEADLESS_SHELL}, once …\n`);
    await aptInstall(HEADLESS_SHELL);
    const installed = findInstalled();
    if (installed) return installed;
  }
  const advice =
    platform === 'darwin' ? 'brew install --cask google-chrome' : `sudo apt-get install -y ${HEADLESS_SHELL}`;
  throw new Error(`The tests need Chromium and found none. Run: ${advice}; or name one in TEST_CHROMIUM`);
}

export async function startBrowser(): Promise<Browser> {
  // Chromium's sandbox does not work as root. The tests open only trusted pages.
  const chromiumSandbox = process.getuid?.() !== 0;
  const executablePath = await chromiumPath();
  const browser = await chromium.launch({ executablePath, chromiumSandbox, timeout: LIBRARY_TIMEOUT_MS });
  const newContext = browser.newContext.bind(browser);
  // newPage() calls newContext().
  browser.newContext = async (options) => {
    const context = await newContext(options);
    // Playwright's own limit of 30 seconds is too short for a busy machine.
    context.setDefaultTimeout(LIBRARY_TIMEOUT_MS);
    return context;
  };
  return browser;
}
