import { expect, test } from 'vitest';
import { checkViews } from './check-views.ts';
import { openPage, signIn } from './open-page.ts';
import { browser, stack } from './use-dashboard.ts';

checkViews([
  { name: 'forced colors', forcedColors: 'active', viewport: { width: 1440, height: 900 } },
]);

test('the current page and a primary button have an outline in forced colors', async () => {
  const { page, close } = await openPage(browser, { forcedColors: 'active' });
  await signIn(page, stack);
  const outlineOf = (selector: string) =>
    page.evaluate(
      `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).outlineStyle`,
    );
  expect(await outlineOf('nav [aria-current=page]')).toBe('solid');
  expect(await outlineOf('nav a:not([aria-current])')).toBe('none');
  expect(await outlineOf('button.bg-accent')).toBe('solid');
  await close();
});
