/** Looks up the locations of IP addresses in local database files in MaxMind's format. */
import { open, validate, type Reader, type Response } from 'maxmind';
import { ConfigError } from './config/config.js';

/**
 * Record paths for each field: first in MaxMind's files, then in other publishers' files, which have no nested fields.
 */
const FIELD_PATHS = {
  country: ['country.iso_code', 'country_code'],
  state: ['subdivisions.0.names.en', 'state1'],
  city: ['city.names.en', 'city'],
  postal: ['postal.code', 'postcode'],
  org: ['autonomous_system_organization', 'traits.organization'],
  timezone: ['location.time_zone', 'timezone'],
} as const;
const COORDINATE_PATHS = [
  ['location.latitude', 'location.longitude'],
  ['latitude', 'longitude'],
] as const;

/** The location of an IP address. `location` is `latitude,longitude`. Unknown fields are "". */
type Place = Readonly<Record<keyof typeof FIELD_PATHS | 'location', string>>;
export type LocateAddress = (ip: string) => Place;

/** Returns the string or number at a record path as text, otherwise "". */
function valueAt(record: unknown, path: string): string {
  const value = path.split('.').reduce<unknown>((node, key) => (node as Record<string, unknown> | null)?.[key], record);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function readPlace(records: readonly unknown[]): Place {
  const first = (paths: readonly string[]) =>
    records.flatMap((record) => paths.map((path) => valueAt(record, path))).find((value) => value !== '') ?? '';
  const points = records.flatMap((record) => COORDINATE_PATHS.map((pair) => pair.map((path) => valueAt(record, path))));
  const location = points.find((point) => point.every((value) => value !== ''))?.join(',') ?? '';
  const fields = Object.entries(FIELD_PATHS).map(([name, paths]) => [name, first(paths)]);
  return { ...(Object.fromEntries(fields) as Omit<Place, 'location'>), location };
}

async function openFile(file: string): Promise<Reader<Response>> {
  return open(file).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError([
      `GEOIP_DATABASE names ${file}, which cannot be read as a database (${error.code ?? error.name})`,
    ]);
  });
}

/** Reads each field from the first file that contains it. */
export async function openGeo(files: readonly string[]): Promise<LocateAddress> {
  const readers = await Promise.all(files.map(openFile));
  return (ip) => readPlace(validate(ip) ? readers.map((reader) => reader.get(ip)) : []);
}
