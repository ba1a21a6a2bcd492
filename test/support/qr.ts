/** What a phone's camera makes of a screen: a decoder of its own, on the pixels that are shown. */
import jsqr from 'jsqr';
import type { Locator } from 'playwright-core';
import { PNG } from 'pngjs';

// The package says that it is a module; it is not.
const decode = jsqr as unknown as typeof jsqr.default;

/** The address in the QR code that an element shows. */
export async function scan(element: Locator): Promise<URL> {
  const { data, width, height } = PNG.sync.read(await element.screenshot());
  const found = decode(new Uint8ClampedArray(data), width, height);
  if (!found) throw new Error('no QR code can be seen');
  return new URL(found.data);
}
