/** QR codes as PNG. */
import { toDataURL } from 'qrcode';

/** Pixels a module: with its quiet zone even the smallest code for an account is wider than 200 pixels. */
const MODULE_PIXELS = 6;
/** Modules of white around the code, as ISO 18004 asks for. */
const QUIET_ZONE = 4;

/** Most rows are like the one above: taken as the difference to it, they are smaller and done in a third of the time. */
const RENDERER: object = { filterType: 2, deflateStrategy: 0, deflateLevel: 6 };

/** The QR code of a text, as a data URL of a PNG. */
export const qrCode = (text: string): Promise<string> =>
  toDataURL(text, { errorCorrectionLevel: 'M', margin: QUIET_ZONE, scale: MODULE_PIXELS, rendererOpts: RENDERER });
