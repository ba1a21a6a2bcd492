import Bowser from 'bowser';
import ipaddr from 'ipaddr.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import type { LocateAddress } from '../../platform/geo.js';
import { USER_AGENT_LENGTH } from '../../platform/http/source-address.js';

export type DeviceInfo = Schemas['DeviceInfo'];

/** Describes the caller's device and location. Unknown fields are "". */
export type DescribeDevice = (request: { readonly ip: string; readonly userAgent: string }) => DeviceInfo;

const joinWords = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(' ');

/** `curl/8.5.0` → `curl 8.5.0`. Most callers are programs, which the User-Agent parser does not recognize. */
function clientOf(userAgent: string): string {
  const [, name, version] = /^(?!Mozilla)([\w.-]{1,40})\/([\w.-]{1,40})/.exec(userAgent) ?? [];
  return joinWords(name, version);
}

/** `Chrome on macOS`, without versions; "" for an unknown browser. */
export function browserNameOf(userAgent: string): string {
  if (userAgent.trim() === '') return '';
  const { browser, os } = Bowser.parse(userAgent.slice(0, USER_AGENT_LENGTH));
  return [browser.name, os.name].filter(Boolean).join(' on ').slice(0, 64);
}

function parseUserAgent(userAgent: string): Pick<DeviceInfo, 'browser' | 'os' | 'device'> {
  const text = userAgent.slice(0, USER_AGENT_LENGTH);
  // Bowser throws an error for an empty User-Agent.
  if (text.trim() === '') return { browser: '', os: '', device: '' };
  const { browser, os, platform } = Bowser.parse(text);
  return {
    browser: joinWords(browser.name, browser.version) || clientOf(text),
    os: joinWords(os.name, os.versionName ?? os.version),
    device: joinWords(platform.vendor, platform.model) || (platform.type ?? ''),
  };
}

export function createDescribeDevice(locate: LocateAddress): DescribeDevice {
  return ({ ip, userAgent }) => {
    const ipAddress = ipaddr.isValid(ip) ? ipaddr.process(ip).toString() : '';
    return { ipAddress, ...parseUserAgent(userAgent), ...locate(ipAddress) };
  };
}
