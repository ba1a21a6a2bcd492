/** Writes ZIP files with Node's built-in modules. */
import { crc32, deflateRawSync } from 'node:zlib';

/** The time of all files, so that the same files result in the same archive: 1 January 1980. */
const DOS_TIME = 0;
const DOS_DATE = (1 << 5) | 1;
const VERSION = 20;
const UTF8_NAMES = 0x0800;
const DEFLATE = 8;

/** Returns the fields that a file has both before its content and in the directory at the end. */
function commonFields(name, content, compressed) {
  const fields = Buffer.alloc(26);
  [VERSION, UTF8_NAMES, DEFLATE, DOS_TIME, DOS_DATE].forEach((value, index) => fields.writeUInt16LE(value, 2 * index));
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(compressed.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

/** Returns an archive of `files`: pairs of a name and a content. */
export function zip(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const [path, content] of files) {
    const name = Buffer.from(path);
    const compressed = deflateRawSync(content);
    const fields = commonFields(name, content, compressed);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, compressed]);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([VERSION, 0]), fields, entry, name);
    parts.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, entries, Buffer.from('PK\x05\x06'), end]);
}
