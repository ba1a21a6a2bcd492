/** Who asked for a notification, as far as the request itself tells. */
import Bowser from 'bowser';
import ipaddr from 'ipaddr.js';
import type { components } from '../../platform/contract/generated/api.js';
import type { LocateAddress } from '../../platform/geo.js';
import { USER_AGENT_LENGTH } from '../../platform/limits.js';

export type DeviceInfo = components['schemas']['DeviceInfo'];

/** Describes the sender of a request; all fields are there, "" where nothing is known. */
export type DescribeDevice = (request: { readonly ip: string; readonly userAgent: string }) => DeviceInfo;

const words = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(' ');

/** `curl 8.5.0`: most callers are programs, which no list of browsers knows. */
function clientOf(userAgent: string): string {
  const [, name, version] = /^(?!Mozilla)([\w.-]{1,40})\/([\w.-]{1,40})/.exec(userAgent) ?? [];
  return words(name, version);
}

function programOf(userAgent: string): Pick<DeviceInfo, 'browser' | 'os' | 'device'> {
  const text = userAgent.slice(0, USER_AGENT_LENGTH);
  // Without a text there is nothing to parse, and the parser says so by throwing.
  if (text.trim() === '') return { browser: '', os: '', device: '' };
  const { browser, os, platform } = Bowser.parse(text);
  return {
    browser: words(browser.name, browser.version) || clientOf(text),
    os: words(os.name, os.versionName ?? os.version),
    device: words(platform.vendor, platform.model) || (platform.type ?? ''),
  };
}

export function createDescribeDevice(locate: LocateAddress): DescribeDevice {
  return ({ ip, userAgent }) => {
    const ipAddress = ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : '';
    return { ipAddress, ...programOf(userAgent), ...locate(ipAddress) };
  };
}
