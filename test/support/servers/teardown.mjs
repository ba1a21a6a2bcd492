/** After all tests of a jest run. Where it does not come to that, the leashes of the servers see to it. */
export default async function teardown() {
  // What is awaited here keeps no process alive by itself, and jest has its results to write afterwards.
  const awake = setInterval(() => {}, 1000);
  try {
    await globalThis.passbellCloseServers?.();
  } finally {
    clearInterval(awake);
  }
}
