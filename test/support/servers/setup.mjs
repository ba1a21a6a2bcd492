/** Before all tests of a jest run. Plain JavaScript, since jest loads it before anything is transformed. */
import { tsImport } from 'tsx/esm/api';

export default async function setup() {
  const { shareServers } = await tsImport('./servers.ts', import.meta.url);
  globalThis.passbellCloseServers = await shareServers();
}
