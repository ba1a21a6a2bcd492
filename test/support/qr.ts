/** Decodes QR codes from screenshots, as a phone's camera would. */
import jsqr from 'jsqr';
import type { Locator } from 'playwright-core';
import { PNG } from 'pngjs';

// The package's types describe an ES module, but it is CommonJS.
const decode = jsqr as unknown as typeof jsqr.default;

/** Returns the text in the QR code of a PNG. */
export function readQrCode(png: Buffer): string {
  const { data, width, height } = PNG.sync.read(png);
  const found = decode(new Uint8ClampedArray(data), width, height);
  if (!found) throw new Error('no QR code found');
  return found.data;
}

/** Returns the URL in the QR code that an element shows. */
export const scan = async (element: Locator): Promise<URL> => new URL(readQrCode(await element.screenshot()));
