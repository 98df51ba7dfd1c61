import { expect, test } from 'vitest';
import { openPage, signIn } from './open-page.ts';
import { browser, stack, useStack } from './use-dashboard.ts';

useStack();

const LIMIT_BYTES = 200_000;

test('the first load of the live message table transfers less than 200 kB', async () => {
  const { page, close } = await openPage(browser);
  let bytes = 0;
  const encodings = new Set<string | undefined>();
  page.on('requestfinished', (request) => {
    void request.sizes().then(({ responseBodySize }) => {
      bytes += responseBodySize;
    });
    void request.response().then((response) => {
      if (response?.url().includes('/assets/'))
        encodings.add(response.headers()['content-encoding']);
    });
  });
  await signIn(page, stack);
  await page.waitForLoadState('networkidle');
  // The lower bound proves that the dashboard, of about 130 kB, was part of the measurement.
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(LIMIT_BYTES);
  expect([...encodings]).toEqual(['br']);
  await close();
});
