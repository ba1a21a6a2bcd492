/** `DATABASE_URL`: several hosts, and the parameters for TLS. */
import { parseDatabaseUrl, tlsModeOf, withDatabaseName } from '../../backend/src/platform/db/database-url.js';

const PASSWORD = 'p%40ss,word';

it('reads several hosts, each with a port of its own', () => {
  const url = parseDatabaseUrl(`mysql://u:${PASSWORD}@db1,db2:3307,[::1]:3308/shop?ssl-mode=REQUIRED&charset=utf8mb4`);
  expect(url).toEqual({
    hosts: ['db1', 'db2:3307', '[::1]:3308'].map((host) => `mysql://u:${PASSWORD}@${host}/shop?charset=utf8mb4`),
    name: 'shop',
    sslMode: 'REQUIRED',
  });
});

it.each(['mysql://', 'mysql://u:p@/db', 'mysql://u:p@db1,,db2/db', 'mysql://u:p@db1:port/db', 'postgres://u:p@db1/db'])(
  'rejects %s',
  (text) =>
    expect(() => parseDatabaseUrl(text)).toThrow('must be a URL such as mysql://user:password@host:3306/passbell'),
);

it.each(['?ssl-mode=YES', '?ssl={"ca":"x"}', '?sslcert=/x.pem', '?tls-version=1.3'])(
  'rejects the unknown parameter %s without the password',
  (end) => {
    expect(() => parseDatabaseUrl(`mysql://u:${PASSWORD}@db/shop${end}`)).toThrow(/^has (an|the) unknown /);
    expect(() => parseDatabaseUrl(`mysql://u:${PASSWORD}@db/shop${end}`)).not.toThrow(/ss,word/);
  },
);

it.each([
  ['', 'DISABLED', 'VERIFY_IDENTITY'],
  ['?ssl-mode=disabled', 'DISABLED', 'DISABLED'],
  ['?sslMode=Preferred', 'PREFERRED', 'VERIFY_CA'],
  ['?ssl-mode=REQUIRED', 'REQUIRED', 'VERIFY_CA'],
  ['?sslmode=verify-ca', 'VERIFY_CA', 'VERIFY_CA'],
  ['?sslmode=verify-full', 'VERIFY_IDENTITY', 'VERIFY_IDENTITY'],
  ['?useSSL=true', 'VERIFY_IDENTITY', 'VERIFY_IDENTITY'],
])('%s means %s without a CA file, and %s with one', (end, without, withCa) => {
  const url = parseDatabaseUrl(`mysql://db.example/shop${end}`);
  expect([tlsModeOf(url, {}), tlsModeOf(url, { ca: 'pem' })]).toEqual([without, withCa]);
});

it('does not check the name in the certificate with an IP address', () =>
  expect(tlsModeOf(parseDatabaseUrl('mysql://[::1]/shop'), { ca: 'pem' })).toBe('VERIFY_CA'));

it('names another database on the same hosts', () => {
  const url = 'mysql://u:p%40@one:3307,two/shop?ssl-mode=REQUIRED';
  expect(withDatabaseName(url, 'copy')).toBe('mysql://u:p%40@one:3307,two/copy?ssl-mode=REQUIRED');
});
