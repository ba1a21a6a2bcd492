/** Makes the QR code of even a short account URI wider than 200 pixels, including the quiet zone. */
const PIXELS_PER_MODULE = 6;
/** Width of the white border around the code, in modules, as ISO 18004 requires. */
const QUIET_ZONE = 4;

/**
 * PNG filter 2 stores the difference from the row above. Most pixel rows equal the row above, so this filter makes
 * images smaller and faster to create.
 */
const PNG_OPTIONS: object = { filterType: 2, deflateStrategy: 0, deflateLevel: 6 };

export async function qrCode(text: string): Promise<string> {
  // Imported dynamically, because most processes never create a QR code.
  const { toDataURL } = await import('qrcode');
  return toDataURL(text, {
    errorCorrectionLevel: 'M',
    margin: QUIET_ZONE,
    scale: PIXELS_PER_MODULE,
    rendererOpts: PNG_OPTIONS,
  });
}
