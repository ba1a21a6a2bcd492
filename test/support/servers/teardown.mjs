/** Runs after all tests of a jest run. If jest is killed, the clean-up shells stop the servers instead. */
export default async function teardown() {
  // Stopping the servers does not keep the process alive, but jest still has to write its results.
  const awake = setInterval(() => {}, 1000);
  try {
    await globalThis.passbellCloseServers?.();
  } finally {
    clearInterval(awake);
  }
}
