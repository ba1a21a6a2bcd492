/** docker-compose.yml and the Dockerfile: ports, privileges, secrets and settings. */
import { STOP_SECONDS } from '../../backend/src/platform/clock.js';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { linkedFiles, readGuides } from '../../backend/src/modules/docs/guides.js';
import { readConfig, SETTINGS } from '../../backend/src/platform/config/config.js';
import { LIBRARY_TIMEOUT_MS } from '../support/wait.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');

interface ComposeService {
  readonly image: string;
  readonly ports?: readonly string[];
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly healthcheck?: { readonly test?: readonly unknown[]; readonly disable?: boolean };
  readonly restart: string;
  readonly deploy?: { readonly replicas: number };
  readonly stop_grace_period?: string;
  readonly [key: string]: unknown;
}

const compose = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, ComposeService> };
const allServices = Object.entries(compose.services);
const { image: publishedImage } = JSON.parse(read('publisher.json')) as { image: string };
const ownServices = allServices.filter(([, { image }]) => image.includes(`${publishedImage}:`));

/** Names of the variables that docker-compose.yml requires, as in `${NAME:?…}`. */
const requiredVariables = [
  ...new Set([...read('docker-compose.yml').matchAll(/\$\{(\w+):\?/g)].map((match) => match[1]!)),
];

describe('every service', () => {
  it('is listed in docker-compose.yml', () => {
    expect(allServices.map(([name]) => name).sort()).toEqual(['api', 'mail', 'migrate', 'mysql', 'redis', 'worker']);
    expect([compose.services.api!.deploy, compose.services.worker!.deploy]).toEqual([{ replicas: 2 }, { replicas: 2 }]);
  });

  it.each(allServices)('%s publishes ports on loopback only', (_name, { ports = [] }) => {
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+(-\d+)?:\d+$/);
  });

  it.each(allServices)('%s is pinned to a version', (_name, { image }) => {
    expect(fill(image)).toMatch(/:v?\d+\.\d+(?:\.\d+)?(-\w+)?(@sha256:[0-9a-f]{64})?$/);
  });

  it.each(allServices)('%s cannot gain privileges, and restarts automatically', (name, service) => {
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
    expect(service.restart).toBe(name === 'migrate' ? 'no' : 'unless-stopped');
  });

  it.each(allServices)('%s has a health check in the compose file or in our image', (name, { image, healthcheck }) => {
    if (name === 'migrate') return expect(healthcheck).toEqual({ disable: true });
    if (image.includes(publishedImage)) return expect(healthcheck).toBeUndefined();
    expect(healthcheck!.test![0]).toMatch(/^CMD/);
    // In an unquoted YAML string, a question mark or a colon can have a special meaning.
    for (const word of healthcheck!.test!) expect(typeof word).toBe('string');
  });
});

describe('a service with our image', () => {
  it('pulls the published image, or the one in PASSBELL_IMAGE, and docker-compose.build.yml builds it for the same services', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    const image = `\${PASSBELL_IMAGE:-${publishedImage}:${version}}`;
    expect(ownServices.map(([, service]) => service.image)).toEqual([image, image, image]);
    const override = parse(read('docker-compose.build.yml')) as typeof compose;
    const built = { image: 'passbell:built', build: '.', pull_policy: 'build' };
    expect(override.services).toEqual(Object.fromEntries(ownServices.map(([name]) => [name, built])));
  });

  it.each(ownServices)('%s has minimal privileges', (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      user: '1000:1000',
      cap_drop: ['ALL'],
      tmpfs: ['/tmp'],
      init: true,
    });
    expect(service.privileged).toBeUndefined();
  });

  it.each(ownServices)('%s has enough time to stop', (_name, { stop_grace_period }) => {
    expect(Number.parseInt(stop_grace_period!)).toBeGreaterThan(STOP_SECONDS);
  });

  it.each(ownServices)('%s has only known settings in its environment', (_name, { environment }) => {
    expect(Object.keys(environment!).filter((name) => !(name in SETTINGS))).toEqual([]);
  });

  it.each(ownServices)(
    '%s passes all settings, and mounts the folder for files that settings refer to',
    (_name, service) => {
      // Settings that the image sets, or that apply only to embedded mode.
      const excluded = ['PORT', 'HOST', 'DATA_DIR', 'TWILIO_API_URL', 'ROLE'];
      const passed = Object.keys(service.environment!);
      expect(Object.keys(SETTINGS).filter((name) => !passed.includes(name) && !excluded.includes(name))).toEqual([]);
      expect(service.volumes).toEqual(['./files:/files:ro']);
    },
  );

  it.each(ownServices)('%s accepts its settings', (_name, { environment }) => {
    const filled = Object.entries(environment!).map(([name, value]) => [name, fill(value)]);
    const config = readConfig(Object.fromEntries(filled));
    expect(config).toMatchObject({ DEV_INBOX: 'off', SMTP_URL: 'smtp://mail:1025', PORT: 3000 });
    expect(new URL(config.DATABASE_URL!)).toMatchObject({ hostname: 'mysql', password: 'x'.repeat(32) });
    expect(new URL(config.REDIS_URL!)).toMatchObject({ hostname: 'redis', password: 'x'.repeat(32) });
  });
});

/** Fills in defaults as Docker Compose does, and a secret of 32 characters for each required variable. */
function fill(value: string | null): string | undefined {
  return value?.replace(/\$\{\w+:\?[^}]*\}/g, 'x'.repeat(32)).replace(/\$\{\w+:-([^}]*)\}/g, '$1');
}

describe('the image', () => {
  const dockerfile = read('Dockerfile');
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));

  it('is built from pinned images', () => {
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map((match) => match[1]);
    expect(bases).toHaveLength(3);
    for (const base of bases) expect(base).toMatch(/^node:24\.21\.0-bookworm(-slim)?(@sha256:[0-9a-f]{64})?$/);
  });

  it('does not run the service as root', () => {
    expect(last).toMatch(/^USER 1000:1000$/m);
    expect(last).toMatch(/^CMD \["node", "--enable-source-maps", "backend\/dist\/main\.js"\]$/m);
    expect(last).toMatch(/^HEALTHCHECK /m);
    // All files that the compiled code reads.
    for (const folder of ['openapi', 'assets']) expect(last).toContain(`COPY backend/${folder} backend/${folder}`);
    expect(last).toContain('COPY --from=build /app/widget/dist widget/dist');
  });

  it('contains the guides, and all files that they link to', () => {
    const guides = readGuides();
    const files = [...guides.map(({ file }) => file), ...linkedFiles(guides)];
    const copied = [...last.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, sources]) => sources!.split(' '));
    const included = read('.dockerignore').match(/(?<=^!).+$/gm)!;
    for (const patterns of [copied, included]) {
      const sources = patterns.map((text) => text.replaceAll('.', '\\.').replaceAll('*', '[^/]*'));
      const isMatched = (file: string) => sources.some((source) => new RegExp(`^${source}(/|$)`).test(file));
      expect(files.filter((file) => !isMatched(file))).toEqual([]);
    }
  });

  it('excludes files that could contain a secret', () => {
    const lines = read('.dockerignore').split('\n');
    expect(lines).toContain('*');
    expect(lines).toContain('**/.env*');
  });
});

describe('the generated secrets', () => {
  const script = join(root, 'scripts/compose-env.mjs');
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'passbell-compose-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const generate = () => spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
  const secrets = () => {
    const lines = readFileSync(join(folder, '.env'), 'utf8').matchAll(/^(\w+)=(.+)$/gm);
    return Object.fromEntries([...lines].map(([, name, value]) => [name!, value!]));
  };
  const generatedSecrets = () => {
    return Object.fromEntries(Object.entries(secrets()).filter(([name]) => !name.startsWith('COMPOSE_')));
  };

  it('come with the files that build the image, as long as no image is published', () => {
    generate();
    const isPublished = !publishedImage.includes('.example/');
    expect(secrets().COMPOSE_FILE).toBe(isPublished ? undefined : 'docker-compose.yml:docker-compose.build.yml');
  });

  it('are different for each required variable, and readable only by the current user', () => {
    expect(generate().status).toBe(0);
    expect(Object.keys(generatedSecrets()).sort()).toEqual([...requiredVariables].sort());
    const values = Object.values(generatedSecrets());
    expect(new Set(values).size).toBe(values.length);
    for (const value of values) expect(value).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600);
  });

  it('are never overwritten, and missing secrets are reported', () => {
    writeFileSync(join(folder, '.env'), 'SECRET_KEY=mine\nREDIS_PASSWORD=\n');
    const { status, stderr } = generate();
    expect(status).toBe(1);
    expect(stderr).toContain('needs MYSQL_PASSWORD, MYSQL_ROOT_PASSWORD, REDIS_PASSWORD in .env');
    expect(secrets()).toEqual({ SECRET_KEY: 'mine' });
  });

  const client = spawnSync('docker', ['compose', 'version'], { timeout: LIBRARY_TIMEOUT_MS });
  const canAsk = client.status === 0;
  it(`satisfy docker compose ${canAsk ? 'config' : '(skipped: this docker has no compose plugin)'}`, () => {
    generate();
    for (const file of ['docker-compose.yml', 'docker-compose.build.yml'])
      copyFileSync(join(root, file), join(folder, file));
    if (canAsk) execFileSync('docker', ['compose', 'config', '-q'], { cwd: folder, timeout: LIBRARY_TIMEOUT_MS });
    expect(existsSync(join(folder, '.env'))).toBe(true);
  });
});
