/** After all tests of a jest run. Where it does not come to that, the leashes of the servers see to it. */
export default async function teardown() {
  await globalThis.passbellCloseServers?.();
}
