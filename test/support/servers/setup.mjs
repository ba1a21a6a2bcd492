/** Runs before all tests of a jest run. Plain JavaScript, because jest loads this file without transforming it. */
import { tsImport } from 'tsx/esm/api';

export default async function setup() {
  const { shareServers } = await tsImport('./servers.ts', import.meta.url);
  globalThis.passbellCloseServers = await shareServers();
}
