/** Where an address is, from database files in MaxMind's format that the operator names. No look-up leaves the machine. */
import { open, validate, type Reader, type Response } from 'maxmind';
import { ConfigError } from './config/config.js';

/** Every field is "" where the files do not tell. */
export interface Place {
  /** ISO 3166 code. */
  readonly country: string;
  readonly state: string;
  readonly city: string;
  readonly postal: string;
  /** `latitude,longitude`. */
  readonly location: string;
  /** Operator of the network. */
  readonly org: string;
  readonly timezone: string;
}

export type LocateAddress = (ip: string) => Place;

/** Where each field is in a record: in MaxMind's own files, then in the flat ones that others publish. */
const FIELDS: Readonly<Record<Exclude<keyof Place, 'location'>, readonly string[]>> = {
  country: ['country.iso_code', 'country_code'],
  state: ['subdivisions.0.names.en', 'state1'],
  city: ['city.names.en', 'city'],
  postal: ['postal.code', 'postcode'],
  org: ['autonomous_system_organization', 'traits.organization'],
  timezone: ['location.time_zone', 'timezone'],
};
const COORDINATES = [
  ['location.latitude', 'location.longitude'],
  ['latitude', 'longitude'],
] as const;

/** What a path leads to in a record, as text; "" for anything that is neither a text nor a number. */
function valueAt(record: unknown, path: string): string {
  const value = path.split('.').reduce<unknown>((node, key) => (node as Record<string, unknown> | null)?.[key], record);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function placeIn(records: readonly unknown[]): Place {
  const first = (paths: readonly string[]) =>
    records.flatMap((record) => paths.map((path) => valueAt(record, path))).find((value) => value !== '') ?? '';
  const points = records.flatMap((record) => COORDINATES.map((pair) => pair.map((path) => valueAt(record, path))));
  const location = points.find((point) => point.every((value) => value !== ''))?.join(',') ?? '';
  const fields = Object.entries(FIELDS).map(([name, paths]) => [name, first(paths)]);
  return { ...(Object.fromEntries(fields) as Omit<Place, 'location'>), location };
}

async function openFile(file: string): Promise<Reader<Response>> {
  return open(file).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError([
      `GEOIP_DATABASE names ${file}, which cannot be read as a database (${error.code ?? error.name})`,
    ]);
  });
}

/** Opens the files; the first one that knows a field tells it. */
export async function openGeo(files: readonly string[]): Promise<LocateAddress> {
  const readers = await Promise.all(files.map(openFile));
  return (ip) => placeIn(validate(ip) ? readers.map((reader) => reader.get(ip)) : []);
}
