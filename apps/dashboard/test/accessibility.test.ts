import { EVENTUALLY } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { checkViews } from './check-views.ts';
import { openPage } from './open-page.ts';
import { browser, stack } from './use-dashboard.ts';

checkViews([
  {
    name: 'light theme, wide screen',
    colorScheme: 'light',
    viewport: { width: 1440, height: 900 },
  },
  {
    name: 'dark theme, medium screen',
    colorScheme: 'dark',
    viewport: { width: 768, height: 1024 },
  },
  { name: 'dark theme, narrow screen', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
]);

test('with reduced motion, the placeholders of loading content and the signs of a busy button stand still', async () => {
  const { page, close } = await openPage(browser, { reducedMotion: 'reduce' });
  await page.goto(`${stack.url}/sign-in`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.evaluate(`for (const name of ['animate-pulse', 'animate-spin']) {
    const element = document.createElement('div');
    element.className = name;
    document.body.append(element);
  }`);
  const countRunning = () => page.evaluate('document.getAnimations().length');
  await expect.poll(countRunning, EVENTUALLY).toBe(0);
  await close();
});
