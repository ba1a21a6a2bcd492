/**
 * `npm run publisher`: writes the values of publisher.json, and the version in package.json, into all files that contain them.
 * Then proves that no placeholder is left. With `--check`, it writes nothing, allows placeholders, and fails if a file is out
 * of date.
 *
 * The root package.json records the publisher whose values the files contain, and backend/package.json their version.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Files and folders with values of the publisher. */
const PLACES =
  `package.json package-lock.json docker-compose.yml docker-compose.build.yml README.md SECURITY.md SUPPORT.md CONTRIBUTING.md .github
  backend/package.json backend/openapi clients deploy docs examples n8n-nodes widget/package.json zapier-app`.split(
    /\s+/,
  );
const SKIPPED = /(^|[\\/])(node_modules|dist|build|\.next|\.cache)$/;
const TEXT = /\.(ts|json|md|ya?ml|py|toml)$/;
/** Hosts below this name and this author do not exist. */
const PLACEHOLDER = /\b[\w.@-]*passbell\.example[\w/-]*|The Passbell authors/g;

/** Paragraphs, and comments in YAML, that `npm run publisher` removes when publisher.json names an image. */
const UNPUBLISHED = /^([>#]) \*\*Not published yet\.\*\*.*\n(?:\1 .*\n)*\n/gm;

/** Hosts under the top-level domain "example" do not exist (RFC 2606). */
export const isPublished = ({ image }) => !/\.example\//.test(image);

const FORMATS = {
  name: /^[^<>"\n]+$/,
  email: /^[^<>\s"@]+@[^<>\s"@]+$/,
  repository: /^https:\/\/[^\s"?#]+[^\s"?#/]$/,
  domain: /^[a-z0-9.-]+$/,
  image: /^[a-z0-9.:-]+(\/[a-z0-9._-]+)+$/,
};

/** Throws if a value is missing or malformed. */
export function checkPublisher(publisher) {
  for (const [key, format] of Object.entries(FORMATS))
    if (!format.test(publisher[key] ?? '')) throw new Error(`publisher.json: "${key}" is missing or malformed`);
}

const read = (folder, file) => readFileSync(join(folder, file), 'utf8');
const readJson = (folder, file) => JSON.parse(read(folder, file));

/** Returns the values that the files contain. */
function appliedValues(folder) {
  const { author, repository, homepage, config } = readJson(folder, 'package.json');
  return {
    ...author,
    repository: repository.url.replace(/^git\+|\.git$/g, ''),
    domain: homepage.replace('https://', ''),
    image: config.image,
    version: readJson(folder, 'backend/package.json').version,
  };
}

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Contexts in which the version is Passbell's own, and not that of a dependency. */
const VERSION_CONTEXTS = [
  'IMAGE:VERSION\\b',
  String.raw`(?:passbell[\w-]*-)VERSION(?=\.tgz|\.tar|-py3)`,
  String.raw`"(?:passbell|n8n-nodes-passbell)": "\^VERSION(?=")`,
  String.raw`newTag: 'VERSION(?=')`,
  String.raw`tags/vVERSION\b|git checkout (?:--force )?vVERSION\b`,
  String.raw`^ {2}"?version"?: "?VERSION(?=["\n])`,
  // version = "…" of pyproject.toml, and constants.
  String.raw`^(?:export const )?[Vv]\w+ = ['"]VERSION(?=['"])`,
  String.raw`"name": "(?:@passbell/|passbell)[\w-]*",\s+"version": "VERSION(?=")`,
];

/** Returns the text with the values of `next` in place of those of `applied`. */
export function withPublisher(text, applied, next) {
  const versions = new RegExp(
    VERSION_CONTEXTS.join('|')
      .replaceAll('VERSION', escape(applied.version))
      .replaceAll('IMAGE', escape(applied.image)),
    'gm',
  );
  return (isPublished(next) ? text.replace(UNPUBLISHED, '') : text)
    .replace(versions, (found) => found.replace(applied.version, next.version))
    .replaceAll(`"name": "${applied.name}"`, `"name": "${next.name}"`)
    .replaceAll(`{ name = "${applied.name}"`, `{ name = "${next.name}"`)
    .replaceAll(`${applied.name} (${applied.email})`, `${next.name} (${next.email})`)
    .replace(
      new RegExp(['email', 'repository', 'domain', 'image'].map((key) => escape(applied[key])).join('|'), 'g'),
      (found) =>
        found === applied.email
          ? next.email
          : next[['repository', 'domain', 'image'].find((key) => applied[key] === found)],
    );
}

function* filesOf(folder, place) {
  const path = join(folder, place);
  if (!existsSync(path)) return;
  if (TEXT.test(place)) return yield path;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory() && !SKIPPED.test(child)) yield* filesOf(folder, relative(folder, child));
    if (entry.isFile() && TEXT.test(entry.name)) yield child;
  }
}

/** Fills in the values below a folder. Returns the files that were out of date, and the placeholders that are left. */
export function fillIn(folder = root, { isWriting = true } = {}) {
  const publisher = readJson(folder, 'publisher.json');
  checkPublisher(publisher);
  const applied = appliedValues(folder);
  const next = { ...publisher, version: readJson(folder, 'package.json').version };
  const outdated = [];
  const placeholders = [];
  for (const path of PLACES.flatMap((place) => [...filesOf(folder, place)])) {
    const before = readFileSync(path, 'utf8');
    const after = withPublisher(before, applied, next);
    if (after !== before) outdated.push(relative(folder, path));
    if (after !== before && isWriting) writeFileSync(path, after);
    for (const [found] of after.matchAll(PLACEHOLDER)) placeholders.push(`${relative(folder, path)}: ${found}`);
  }
  return { outdated, placeholders };
}

function main() {
  const isCheck = process.argv.includes('--check');
  const { outdated, placeholders } = fillIn(root, { isWriting: !isCheck });
  if (isCheck) {
    for (const file of outdated) console.error(`${file} is out of date. Run: npm run publisher`);
    return outdated.length === 0;
  }
  for (const file of outdated) console.log(`Updated ${file}`);
  for (const place of placeholders) console.error(place);
  if (placeholders.length > 0)
    console.error('\nEnter who publishes Passbell in publisher.json, and run the command again.');
  else console.log('No placeholder is left.');
  return placeholders.length === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    process.exitCode = main() ? 0 : 1;
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
