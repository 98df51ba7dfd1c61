import type { MessageList } from '@switchboard/contracts';
import { EVENTUALLY } from '@switchboard/testing';
import { createRandom } from '@switchboard/testing/random';
import { expect } from 'vitest';
import { openPage, signIn } from '../../test/open-page.ts';
import { api, browser, stack, view } from '../../test/use-dashboard.ts';
import { inbound, readShown, reply } from './shown-thread.ts';
import { startBadNetwork } from './start-bad-network.ts';
import { watchThread } from './watch-thread.ts';
import { changeWeather, receiveSteadily, typeReplies } from './work-on-bad-network.ts';

const ADA = '+14155550171';

/**
 * A person answers messages on a bad network. Asserts that each reply is sent once and shown once, that each received message
 * is shown once, and that the state line is true at every moment. Returns figures.
 */
export async function spendTimeOnBadNetwork(options: {
  seed: number;
  seconds: number;
  replies: number;
  perSecond: number;
}) {
  const { seed, seconds, replies, perSecond } = options;
  await stack.request('POST', `${api}/numbers`, { number: '+15005550006' });
  await stack.receive(ADA, 'Hello');
  const network = await startBadNetwork(stack.url, seed);
  const { page, errors, close } = await openPage(browser);
  const isDone = new AbortController();
  const figures: Record<string, number> = {};
  try {
    await signIn(page, { ...stack, url: network.url });
    await page.goto(view.replace(stack.url, network.url) + `/conversations/${ADA}`);
    await page.getByRole('log').getByText('Hello').waitFor();
    await page.locator('[data-connection=live]:visible').waitFor();

    const received = receiveSteadily(stack, ADA, perSecond, isDone.signal);
    const weather = changeWeather(network, createRandom(seed, 'weather'), isDone.signal);
    const watch = watchThread(page, network, received.arrivedAt);
    const over = new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    const person = createRandom(seed, 'person');
    figures['presses'] = await typeReplies(page, replies, person, seconds * 1_000);
    await over;
    isDone.abort();
    await Promise.all([received.done, weather]);
    figures['received'] = received.arrivedAt.length;

    await page.locator('[data-connection=live]:visible').waitFor();
    const sentTexts = (await readLedger()).filter(({ to }) => to === ADA).map(({ body }) => body);
    expect(sentTexts.toSorted()).toEqual(
      Array.from({ length: replies }, (_, n) => reply(n + 1)).toSorted(),
    );
    const all = await listThread(ADA);
    expect(all.filter((text) => text.startsWith('Inbound '))).toEqual(
      received.arrivedAt.map((_, n) => inbound(n)),
    );
    const older = page.getByRole('button', { name: 'Show older messages' });
    await expect
      .poll(async () => {
        if (await older.isEnabled({ timeout: 1_000 }).catch(() => false)) await older.click();
        return (await readShown(page)).texts;
      }, EVENTUALLY)
      .toEqual(all);
    const { wrong, ...watched } = await watch.stop();
    Object.assign(figures, watched);
    expect(wrong).toEqual([]);
    expect(errors.filter((error) => !error.includes('net::ERR_'))).toEqual([]);
    return figures;
  } finally {
    isDone.abort();
    process.stdout.write(`${JSON.stringify({ seed, ...figures, ...network.counts() }, null, 2)}\n`);
    await close();
    await network.close();
  }
}

/** Returns what the carrier has accepted. */
async function readLedger(): Promise<{ to: string; body: string }[]> {
  const response = await fetch(new URL('/simulator/ledger', stack.pictureUrl));
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as { to: string; body: string });
}

/** Returns the texts of a conversation as the API lists them, oldest first. */
async function listThread(number: string): Promise<string[]> {
  const messages: MessageList['messages'] = [];
  for (const party of ['from', 'to']) {
    let hasNext = true;
    for (let n = 1; hasNext; n += 1) {
      const query = new URLSearchParams({ [party]: number, limit: '100', page: String(n) });
      const list = await stack.request<MessageList>('GET', `${api}/messages?${query.toString()}`);
      messages.push(...list.messages);
      ({ hasNext } = list.pagination);
    }
  }
  return messages.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ body }) => body);
}
