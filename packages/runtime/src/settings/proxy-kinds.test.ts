import { expect, test } from 'vitest';
import { inspectAllSettings, readProcessSettings } from './process-settings.ts';
import { directHostsSetting, proxyUrlSetting } from './proxy-kinds.ts';

test.each([
  ['http://proxy.example.com:3128', 'http://proxy.example.com:3128/'],
  ['http://proxy.example.com:3128/', 'http://proxy.example.com:3128/'],
  ['proxy.example.com:3128', 'http://proxy.example.com:3128/'],
  ['user:secret@10.0.0.1:8080', 'http://user:secret@10.0.0.1:8080/'],
  ['HTTPS://proxy.example.com', 'https://proxy.example.com/'],
  ['http://[fd00::1]:3128', 'http://[fd00::1]:3128/'],
])('the proxy %s is accepted', (text, url) => {
  expect(proxyUrlSetting().schema.parse(text)).toBe(url);
});

test.each([
  'socks5://secret.example.com:1080',
  'http://',
  'http://secret example.com',
  'http://secret.example.com/path',
  'http://secret.example.com:99999',
  'http://user:secret%@proxy.example.com',
  'http://secret%E2:%82%AC@proxy.example.com',
  'http://user:secret#1@proxy.example.com',
  'http://secret.example.com?x=1',
])('the proxy %s is refused, and the error does not repeat it', (text) => {
  const { error } = proxyUrlSetting().schema.safeParse(text);
  expect(error?.issues[0]?.message).toMatch(/^must be the http or https URL of a proxy, such as /);
  expect(error?.issues[0]?.message).not.toContain('secret');
});

test.each([
  'example.com,/var/run/docker.sock',
  'http://example.com',
  '10.0.0.0/33',
  '10.*',
  'example.com:0',
  'example.com:99999',
  'a b/c',
  '<local>',
  '[::1',
  '1.2.3',
])('the list %s of NO_PROXY is refused', (text) => {
  const { error } = directHostsSetting().schema.safeParse(text);
  expect(error?.issues[0]?.message).toMatch(/^must be \* or hosts that are separated by commas/);
});

const BASE = {
  DATABASE_URL: 'postgresql://localhost/x',
  PUBLIC_URL: 'https://sms.example.com',
  SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
};

test('the proxy settings are also read in lower case, which takes precedence, as in curl', () => {
  const read = (env: object) => readProcessSettings('worker', { ...BASE, ...env });
  expect(read({ https_proxy: ' "http://low:1" ', no_proxy: 'a.example' })).toMatchObject({
    HTTPS_PROXY: 'http://low:1/',
    NO_PROXY: [{ kind: 'domain', name: 'a.example', port: null }],
  });
  expect(read({ HTTPS_PROXY: 'http://up:1', https_proxy: 'http://low:1' })).toMatchObject({
    HTTPS_PROXY: 'http://low:1/',
  });
  expect(read({ HTTPS_PROXY: 'http://up:1', https_proxy: '' })).toMatchObject({
    HTTPS_PROXY: 'http://up:1/',
  });
  expect(read({ public_url: 'https://other.example' })).toMatchObject({
    PUBLIC_URL: 'https://sms.example.com',
  });
  const { problems } = inspectAllSettings({ https_proxy: 'http://low:1', HTTPS_PROXY_FILE: '/x' });
  expect(problems.get('HTTPS_PROXY')).toBe('is set twice, here and by HTTPS_PROXY_FILE');
});
