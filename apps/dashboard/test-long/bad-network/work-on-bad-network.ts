import type { Random } from '@switchboard/testing/random';
import type { Page } from 'playwright-core';
import type { Stack } from '../../test/start-stack.ts';
import { inbound, readShown, reply } from './shown-thread.ts';
import type { BadNetwork, Weather } from './start-bad-network.ts';

/** Receives messages at a steady rate until `signal`. Returns when each was in the API. */
export function receiveSteadily(
  stack: Stack,
  from: string,
  perSecond: number,
  signal: AbortSignal,
): { arrivedAt: number[]; done: Promise<void> } {
  const arrivedAt: number[] = [];
  async function receive(): Promise<void> {
    const began = Date.now();
    for (let n = 0; !signal.aborted; n += 1) {
      await stack.receive(from, inbound(n));
      arrivedAt.push(Date.now());
      await sleep(began + ((n + 1) * 1_000) / perSecond - Date.now());
    }
  }
  return { arrivedAt, done: receive() };
}

/** The longest of each kind of weather, in ms. */
const LASTS: Record<Weather, readonly [number, number]> = {
  rough: [40_000, 90_000],
  refusing: [3_000, 75_000],
  frozen: [5_000, 75_000],
  calm: [20_000, 70_000],
};

/** Changes the weather until `signal`: mostly rough, with times when nothing passes and times when everything does. */
export async function changeWeather(
  network: BadNetwork,
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted)
    for (const weather of [
      'rough',
      random.pick(['refusing', 'frozen', 'calm'] as const),
    ] as const) {
      network.become(weather);
      const until = Date.now() + random.between(...LASTS[weather]);
      while (!signal.aborted && Date.now() < until) await sleep(250);
    }
  network.become('calm');
}

/**
 * Types replies as a person does: the next one when the last one is shown. If the page gives a reply back, the person presses
 * Enter again. Returns how often Enter was pressed.
 */
export async function typeReplies(
  page: Page,
  count: number,
  random: Random,
  ms: number,
): Promise<number> {
  let presses = 0;
  const field = page.getByRole('textbox', { name: 'Reply' });
  const began = Date.now();

  async function press(): Promise<void> {
    presses += 1;
    await field.press('Enter');
  }

  /** Presses Enter whenever the field has this text again, until the thread shows it and the field is empty. */
  async function sendUntilShown(text: string): Promise<void> {
    for (;;) {
      const { texts, written, canSend } = await readShown(page);
      if (written === '' && texts.includes(text)) return;
      if (written !== '' && written !== text)
        throw new Error(`The field has ${JSON.stringify(written)} and not ${JSON.stringify(text)}`);
      if (written === text && canSend) await press();
      await sleep(200);
    }
  }

  for (let n = 1; n <= count; n += 1) {
    await sleep(began + ((n - random.next()) * ms) / count - Date.now());
    // Its response may have been lost after it was shown.
    if (n > 1) await sendUntilShown(reply(n - 1));
    await field.focus();
    await page.keyboard.type(reply(n));
    await press();
    await sendUntilShown(reply(n));
  }
  return presses;
}

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
