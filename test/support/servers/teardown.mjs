/** Runs after all tests of a jest run. If it does not run, the clean-up shells stop the servers. */
export default async function teardown() {
  // The awaited work does not keep the process alive, but jest still has to write its results.
  const awake = setInterval(() => {}, 1000);
  try {
    await globalThis.passbellCloseServers?.();
  } finally {
    clearInterval(awake);
  }
}
