import type { Locator } from 'playwright-core';
import type { Hands } from './hands.ts';

/** Types tomorrow’s or a later date into a field with a date and a time, in the order of the United States. */
export async function typeDayAfter(hands: Hands, field: Locator, days = 1): Promise<void> {
  const today = new Date();
  const next = new Date(today.getFullYear(), today.getMonth(), today.getDate() + days);
  const pad = (part: number) => String(part).padStart(2, '0');
  await hands.clickAtStart(field);
  await hands.type(`${pad(next.getMonth() + 1)}${pad(next.getDate())}${next.getFullYear()}`);
}
