/** Checks PNG images, and removes everything except the picture. */

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Chunks that contain the picture. Others can contain texts, locations or a profile, and are removed. */
const PICTURE_CHUNKS = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'];
/** Length, type and checksum of a chunk. */
const CHUNK_OVERHEAD = 12;

export interface Png {
  readonly width: number;
  readonly height: number;
  /** The image without metadata. */
  readonly data: Buffer;
}

/** Returns the image; undefined if the data is not a complete PNG. */
export function parsePng(data: Buffer): Png | undefined {
  if (!data.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return undefined;
  const types: string[] = [];
  const kept: Buffer[] = [SIGNATURE];
  for (let at = SIGNATURE.length; types.at(-1) !== 'IEND';) {
    if (at + CHUNK_OVERHEAD > data.length) return undefined;
    const end = at + CHUNK_OVERHEAD + data.readUInt32BE(at);
    const type = data.toString('latin1', at + 4, at + 8);
    if (end > data.length || (types.length === 0) !== (type === 'IHDR')) return undefined;
    types.push(type);
    if (PICTURE_CHUNKS.includes(type)) kept.push(data.subarray(at, end));
    at = end;
  }
  // The width and the height are the first two numbers of IHDR, which has 13 bytes.
  if (!types.includes('IDAT') || kept[1]!.length !== CHUNK_OVERHEAD + 13) return undefined;
  return { width: kept[1]!.readUInt32BE(8), height: kept[1]!.readUInt32BE(12), data: Buffer.concat(kept) };
}
