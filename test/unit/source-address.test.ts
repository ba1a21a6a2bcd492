/** Rate-limit keys of IP addresses. */
import { sourceKey } from '../../backend/src/platform/http/source-address.js';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:0:0:0:9', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
  ['unknown', 'unknown'],
])('the key of %j is %s', (ip, key) => expect(sourceKey(ip)).toBe(key));

it('the key differs between two IPv6 networks (/64) and between two IPv4 addresses', () => {
  expect(sourceKey('2001:db8:1:2::1')).not.toBe(sourceKey('2001:db8:1:3::1'));
  expect(sourceKey('192.0.2.1')).not.toBe(sourceKey('192.0.2.2'));
});
