const STORAGE_KEY = 'passbell-two-factor';

/** A random secret of this browser on this site. It shows the service that two calls come from the same browser. */
export function browserNonce(): string {
  // 160 random bits.
  let nonce = crypto.getRandomValues(new Uint32Array(5)).join('-');
  try {
    nonce = localStorage.getItem(STORAGE_KEY) ?? nonce;
    localStorage.setItem(STORAGE_KEY, nonce);
  } catch {
    // Storage is denied, for example in a sandboxed frame. Then the secret lasts as long as the page.
  }
  return nonce;
}
