import { SETTINGS } from '@switchboard/runtime';
import { expect, test } from 'vitest';
import { createDirectRule } from '../src/http/outbound-proxy.ts';

function isDirect(list: string, address: string): boolean {
  const { hostname, port } = new URL(address);
  return createDirectRule(SETTINGS.NO_PROXY.schema.parse(list))(hostname, Number(port || 443));
}

// The cases on which curl (lib/noproxy.c) and Go (golang.org/x/net/http/httpproxy) agree. Where they differ,
// curl decides: `.example.com` includes example.com itself.
test.each([
  ['example.com', 'https://example.com/', true],
  ['example.com', 'https://EXAMPLE.com./', true],
  ['Example.COM.', 'https://api.example.com/', true],
  ['example.com', 'https://a.b.example.com/', true],
  ['example.com', 'https://notexample.com/', false],
  ['example.com', 'https://example.com.evil.org/', false],
  ['example.com', 'https://com/', false],
  ['.example.com', 'https://api.example.com/', true],
  ['.example.com', 'https://example.com/', true],
  ['*.example.com', 'https://api.example.com/', true],
  ['.internal', 'https://crm.internal/', true],
  ['intranet', 'https://intranet/', true],
  ['münchen.example', 'https://xn--mnchen-3ya.example/', true],
  ['a.com, b.com c.com,,', 'https://b.com/', true],
  ['a.com, b.com c.com,,', 'https://c.com/', true],
  ['a.com, b.com c.com,,', 'https://d.com/', false],
  ['*', 'https://anything.org/', true],
  ['*', 'https://8.8.8.8/', true],
  ['example.com:8443', 'https://example.com:8443/', true],
  ['example.com:8443', 'https://example.com/', false],
  ['example.com:443', 'https://api.example.com/', true],
  ['10.1.2.3', 'https://10.1.2.3/', true],
  ['10.1.2.3', 'https://10.1.2.4/', false],
  ['10.1.2.3:8443', 'https://10.1.2.3:8443/', true],
  ['10.1.2.3:8443', 'https://10.1.2.3/', false],
  ['10.0.0.0/8', 'https://10.200.1.1/', true],
  ['10.0.0.0/8', 'https://11.0.0.1/', false],
  ['10.0.0.0/8', 'https://10.example.com/', false],
  ['192.168.1.77/16', 'https://192.168.200.1/', true],
  ['fd00::/8', 'https://[fd12::1]/', true],
  ['fd00::/8', 'https://[fe80::1]/', false],
  ['2001:db8::1', 'https://[2001:db8::1]:8443/', true],
  ['[2001:db8::1]:8443', 'https://[2001:db8::1]:8443/', true],
  ['[2001:db8::1]:8443', 'https://[2001:db8::1]/', false],
  ['1.1.1.1', 'https://a.1.1.1.1.example/', false],
  ['example.com', 'https://localhost:8443/', true],
  ['example.com', 'https://127.0.0.53/', true],
  ['example.com', 'https://[::1]/', true],
  ['example.com', 'https://0x7f000001/', true],
])(
  'with NO_PROXY=%s, the answer to whether %s is reached directly is %s',
  (list, url, expected) => {
    expect(isDirect(list, url)).toBe(expected);
  },
);
