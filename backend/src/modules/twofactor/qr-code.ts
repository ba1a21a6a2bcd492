/** QR codes as PNG. */
import { toDataURL } from 'qrcode';

/** Pixels a module: with its quiet zone even the smallest code for an account is wider than 200 pixels. */
const MODULE_PIXELS = 6;
/** Modules of white around the code, as ISO 18004 asks for. */
const QUIET_ZONE = 4;

/** The QR code of a text, as a data URL of a PNG. */
export const qrCode = (text: string): Promise<string> =>
  toDataURL(text, { errorCorrectionLevel: 'M', margin: QUIET_ZONE, scale: MODULE_PIXELS });
