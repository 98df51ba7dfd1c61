import { expect, test } from 'vitest';
import { openPage, signIn } from './open-page.ts';
import { browser, stack, useStack } from './use-dashboard.ts';

useStack();

const LIMIT_BYTES = 200_000;

test('the first load of the live message table transfers less than 200 kB', async () => {
  const { page, close } = await openPage(browser);
  const finished: Promise<{ bytes: number; encoding?: string | undefined }>[] = [];
  page.on('requestfinished', (request) => {
    const read = async () => {
      const { responseBodySize: bytes } = await request.sizes();
      if (!request.url().includes('/assets/')) return { bytes };
      return { bytes, encoding: (await request.response())?.headers()['content-encoding'] };
    };
    finished.push(read());
  });
  await signIn(page, stack);
  await page.waitForLoadState('networkidle');
  // Requests that finish later are not part of the first load, and cannot be read after the page is closed.
  page.removeAllListeners('requestfinished');
  const responses = await Promise.all(finished);
  const bytes = responses.reduce((sum, response) => sum + response.bytes, 0);
  const assets = responses.filter((response) => 'encoding' in response);
  // The lower bound proves that the dashboard, of about 130 kB, was part of the measurement.
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(LIMIT_BYTES);
  expect([...new Set(assets.map(({ encoding }) => encoding))]).toEqual(['br']);
  await close();
});
