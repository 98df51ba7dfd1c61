import { domainToASCII } from 'node:url';
import { parseNetwork } from '@switchboard/core';
import { z } from 'zod';
import type { SettingKind } from './setting-kinds.ts';

/**
 * Creates the setting kind for the URL of a proxy. As in curl and Go, `http://` may be left out. The value
 * has the form of `URL.href`.
 */
export function proxyUrlSetting() {
  const accepts =
    'the http or https URL of a proxy, such as http://user:password@proxy.example.com:3128, with special characters of the password percent-encoded';
  return createKind(accepts, (text) => {
    const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
    if (/\s/.test(address) || !URL.canParse(address)) return null;
    const url = new URL(address);
    const isProxy =
      /^https?:$/.test(url.protocol) && url.pathname === '/' && url.search + url.hash === '';
    return isProxy && [url.username, url.password].every(canDecode) ? url.href : null;
  });
}

/** Creates the setting kind for a list of hosts that are reached without the proxy. */
export function directHostsSetting() {
  const accepts =
    '* or hosts that are separated by commas: names such as example.com, which include their subdomains, addresses, or networks such as 10.0.0.0/8, each with a :port if needed';
  return createKind(accepts, (text) => {
    const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
    const hosts = entries.map((entry) => readDirectHost(entry));
    return hosts.every((host) => host !== null) ? hosts : null;
  });
}

/** Creates a kind from a function that returns null for a text that is not accepted. */
function createKind<Value>(
  accepts: string,
  parse: (text: string) => Value | null,
): SettingKind<z.ZodPipe<z.ZodString, z.ZodTransform<Value, string>>> {
  const schema = z.string().transform((text, context): Value => {
    const value = parse(text);
    if (value !== null) return value;
    context.addIssue(`must be ${accepts}`);
    return z.NEVER;
  });
  return { accepts, schema };
}

function readDirectHost(entry: string) {
  if (entry === '*') return { kind: 'all' as const, port: null };
  const { address, port: digits } = splitPort(entry);
  const port = digits === undefined ? null : Number(digits);
  if (port !== null && (port < 1 || port > 65_535)) return null;
  const network = parseNetwork(address);
  if (network !== null) return { kind: 'network' as const, port, network };
  if (/[/\\?#@:]/.test(address)) return null;
  // A leading dot or `*.` means what the name alone does, as in curl.
  const name = domainToASCII(address.replace(/^(\*?\.)/, '').replace(/\.$/, ''));
  const isName = /^([\w-]+\.)*[\w-]*[a-z_-][\w-]*$/i.test(name);
  return isName ? { kind: 'domain' as const, name: name.toLowerCase(), port } : null;
}

/** Splits `host:port`. An IPv6 address with a port has brackets, and may have them without one. */
function splitPort(entry: string): { address: string; port: string | undefined } {
  const [, inner, bracketPort] = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(entry) ?? [];
  if (inner !== undefined) return { address: inner, port: bracketPort };
  const [, address, port] = /^([^:]+):(\d{1,5})$/.exec(entry) ?? [];
  return { address: address ?? entry, port };
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
