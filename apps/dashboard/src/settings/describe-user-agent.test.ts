import { expect, test } from 'vitest';
import { describeUserAgent } from './describe-user-agent.ts';

const MOZILLA = 'Mozilla/5.0';
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0`,
    'Firefox on Windows',
  ],
  [`${MOZILLA} (X11; Linux x86_64) ${WEBKIT} Chrome/147.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [
    `${MOZILLA} (Windows NT 10.0) ${WEBKIT} Chrome/147.0.0.0 Safari/537.36 Edg/147.0`,
    'Edge on Windows',
  ],
  [
    `${MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.0 Safari/605.1.15`,
    'Safari on macOS',
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${WEBKIT} CriOS/147.0 Safari/604.1`,
    'Chrome on iPhone',
  ],
  [
    `${MOZILLA} (Linux; Android 15) ${WEBKIT} Chrome/147.0.0.0 Mobile Safari/537.36`,
    'Chrome on Android',
  ],
  [
    `${MOZILLA} (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/147.0 Safari/537.36`,
    'Chrome on Linux',
  ],
  [`${MOZILLA} (X11; Linux x86_64) Another/1.0`, 'A browser on Linux'],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['', 'Unknown device'],
  [null, 'Unknown device'],
])('the user agent %j is shown as %j', (userAgent, shown) => {
  expect(describeUserAgent(userAgent)).toBe(shown);
});
