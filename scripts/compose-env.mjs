/** `node scripts/compose-env.mjs`: creates the `.env` file of docker-compose.yml with new secrets, unless it exists. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isPublished } from './publisher.mjs';

const BUILD_LINES = `# No image is published, so it is built. Delete these lines to pull the published image.
COMPOSE_PATH_SEPARATOR=:
COMPOSE_FILE=docker-compose.yml:docker-compose.build.yml
`;

const publisher = JSON.parse(readFileSync(new URL('../publisher.json', import.meta.url), 'utf8'));

/** Settings with generated values. The values are hexadecimal, because some of them are used in URLs. */
const SECRET_NAMES = ['SECRET_KEY', 'MYSQL_PASSWORD', 'MYSQL_ROOT_PASSWORD', 'REDIS_PASSWORD'];

const newSecretLine = (name) => `${name}=${randomBytes(32).toString('hex')}\n`;

function writeEnvFile() {
  const text = `# Secrets of docker-compose.yml. Keep a copy with your backups: these secrets cannot be recreated.
${SECRET_NAMES.map(newSecretLine).join('')}
${isPublished(publisher) ? '' : BUILD_LINES}
# Providers and other settings go here too: SMTP_URL, MAIL_FROM, TWILIO_ACCOUNT_SID, … (see .env.example).
`;
  // "wx" makes the call fail if the file already exists. With mode 0600, only its owner can read it.
  writeFileSync('.env', text, { flag: 'wx', mode: 0o600 });
  console.log('Wrote .env with new secrets.');
}

function reportExistingFile() {
  const text = readFileSync('.env', 'utf8');
  const missing = SECRET_NAMES.filter((name) => !new RegExp(`^${name}=.`, 'm').test(text));
  console.error('.env already exists and was not changed, because stored data depends on its secrets.');
  if (missing.length > 0) console.error(`docker-compose.yml also needs ${missing.join(', ')} in .env.`);
  if (!isPublished(publisher) && !/^COMPOSE_FILE=/m.test(text))
    console.error(`To build the image, add to .env:\n${BUILD_LINES}`);
  process.exitCode = 1;
}

if (existsSync('.env')) reportExistingFile();
else writeEnvFile();
