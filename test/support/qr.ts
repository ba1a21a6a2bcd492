/** What a phone's camera makes of a screen: a decoder of its own, on the pixels that are shown. */
import jsqr from 'jsqr';
import type { Locator } from 'playwright-core';
import { PNG } from 'pngjs';

// The package says that it is a module; it is not.
const decode = jsqr as unknown as typeof jsqr.default;

/** The text in the QR code of a PNG. */
export function readQrCode(png: Buffer): string {
  const { data, width, height } = PNG.sync.read(png);
  const found = decode(new Uint8ClampedArray(data), width, height);
  if (!found) throw new Error('no QR code can be seen');
  return found.data;
}

/** The address in the QR code that an element shows. */
export const scan = async (element: Locator): Promise<URL> => new URL(readQrCode(await element.screenshot()));
