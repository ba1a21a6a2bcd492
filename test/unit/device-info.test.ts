/** Device information from the User-Agent and from a published GeoIP database. */
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../../backend/src/platform/config/config.js';
import { openGeo } from '../../backend/src/platform/geo.js';
import { USER_AGENT_LENGTH } from '../../backend/src/platform/http/source-address.js';
import { createDescribeDevice } from '../../backend/src/modules/notifications/device-info.js';

const FOLDER = new URL('../../node_modules/@ip-location-db/geo-whois-asn-country-mmdb/', import.meta.url);
const DATABASE = fileURLToPath(new URL('geo-whois-asn-country.mmdb', FOLDER));
const NO_LOCATION = { country: '', state: '', city: '', postal: '', location: '', org: '', timezone: '' };

const AGENTS = {
  chrome:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
};

describe('device information without a GeoIP database', () => {
  const describeWith = async (ip: string, userAgent: string) =>
    createDescribeDevice(await openGeo([]))({ ip, userAgent });

  it.each([
    [AGENTS.chrome, { browser: 'Chrome 126.0.0.0', os: 'Windows 10', device: 'desktop' }],
    [AGENTS.iphone, { browser: 'Safari 17.5', os: 'iOS 17.5', device: 'Apple iPhone' }],
    ['curl/8.5.0', { browser: 'curl 8.5.0', os: '', device: '' }],
    ['', { browser: '', os: '', device: '' }],
    ['\u0000😀', { browser: '', os: '', device: '' }],
  ])('contains the parsed User-Agent %j', async (userAgent, expected) => {
    expect(await describeWith('203.0.113.7', userAgent)).toEqual({
      ipAddress: '203.0.113.7',
      ...expected,
      ...NO_LOCATION,
    });
  });

  it('contains only the parsed start of a huge User-Agent', async () => {
    const padding = 'x'.repeat(20 * USER_AGENT_LENGTH);
    expect(await describeWith('203.0.113.7', `curl/8.5.0 ${padding} Chrome/126.0.0.0`)).toMatchObject({
      browser: 'curl 8.5.0',
    });
  });

  it.each([
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:0db8::0001', '2001:db8::1'],
    ['not an address', ''],
    ['', ''],
  ])('contains the address %j as %j', async (ip, ipAddress) => {
    expect(await describeWith(ip, '')).toMatchObject({ ipAddress });
  });
});

describe('device information with a GeoIP database', () => {
  it.each([
    ['8.8.8.8', 'US'],
    ['2001:4860:4860::8888', 'US'],
    ['193.99.144.80', 'DE'],
    ['127.0.0.1', ''],
    ['', ''],
  ])('contains the country of %j', async (ip, country) => {
    const describeDevice = createDescribeDevice(await openGeo([DATABASE]));
    expect(describeDevice({ ip, userAgent: '' })).toMatchObject({ ...NO_LOCATION, country });
  });

  it.each(['/nowhere/at-all.mmdb', fileURLToPath(new URL('package.json', FOLDER))])(
    'reports that it cannot read %s',
    async (file) => {
      await expect(openGeo([file])).rejects.toThrow(ConfigError);
      await expect(openGeo([file])).rejects.toThrow(/GEOIP_DATABASE names .*cannot be read/);
    },
  );
});
