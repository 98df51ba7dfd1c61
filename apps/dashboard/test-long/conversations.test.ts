import type { CDPSession, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { fillConversations } from '../test/fill-conversations.ts';
import { openPage, signIn } from '../test/open-page.ts';
import { browser, stack, useStack } from '../test/use-dashboard.ts';
import { writeEvents } from './write-events.ts';

const SECONDS = Number(process.env['CONVERSATION_SECONDS'] ?? 180);
const CONVERSATIONS = 10_000;
const MESSAGES_PER_SECOND = 50;
const MAX_RENDERER_CORES = 0.25;
const MAX_CLICK_MS = 100;
const MAX_NODES = 2_000;
const CLICK_EVERY_MS = 5_000;

useStack({ fill: () => fillConversations(stack, CONVERSATIONS) });

// Inserts messages received from random conversations.
const RECEIVE = `
  WITH added AS (
    INSERT INTO messages (id, workspace_id, direction, "to", "from", body, segments, status,
      created_at, updated_at, dispatch)
    SELECT uuid_v7(at), $1, 'inbound', '+15005550006',
      '+1415' || (2000000 + floor(random() * ${CONVERSATIONS})::int), 'One more ' || n, 1,
      'received', at, at, 'accepted'
    FROM generate_series(1, $2::int) n, LATERAL (SELECT clock_timestamp() AS at) t
    RETURNING *
  ), counter AS (
    INSERT INTO event_counters AS c (workspace_id, last_seq)
    SELECT $1, count(*) FROM added
    ON CONFLICT (workspace_id) DO UPDATE SET last_seq = c.last_seq + excluded.last_seq
    RETURNING last_seq
  )
  INSERT INTO message_events
    (workspace_id, seq, message_id, message_version, type, at, visible, status, "from",
     provider_sid)
  SELECT $1, counter.last_seq - row_number() OVER () + 1, a.id, 0, 'received', a.created_at, true,
    a.status, a."from", a.provider_sid
  FROM added a, counter RETURNING seq, message_id AS "messageId"`;

test(`with ${CONVERSATIONS} conversations and ${MESSAGES_PER_SECOND} messages per second, the renderer uses less than ${MAX_RENDERER_CORES} of a core and a click takes less than ${MAX_CLICK_MS} ms`, async () => {
  const { page, errors } = await openPage(browser);
  await signIn(page, stack);
  let frames = 0;
  page.on('websocket', (socket) => socket.on('framereceived', () => (frames += 1)));
  await page.goto(`${stack.url}/w/${stack.owner.workspaceId}/conversations`);
  await page.locator('[data-conversation]').first().waitFor();
  await page.locator('[data-connection=live]:visible').waitFor();
  const devtools = await browser.newBrowserCDPSession();
  await page.evaluate(`
    window.clicks = [];
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries()) {
        if (name === 'click') window.clicks.push(duration);
      }
    }).observe({ type: 'event', durationThreshold: 16 });
  `);
  const load = writeEvents(stack, RECEIVE, MESSAGES_PER_SECOND);
  try {
    // The first tenth is warm-up.
    await page.waitForTimeout(SECONDS * 100);
    const framesBefore = frames;
    const cpuBefore = await readRendererSeconds(devtools);
    const begin = performance.now();
    let landed = 0;
    while (performance.now() - begin < SECONDS * 900) {
      await page.waitForTimeout(CLICK_EVERY_MS);
      landed += await clickRow(page);
      await page.mouse.move(900, 400);
    }
    const seconds = (performance.now() - begin) / 1_000;
    const cores = ((await readRendererSeconds(devtools)) - cpuBefore) / seconds;
    const clicks = await page.evaluate<number[]>('window.clicks');
    const nodes = await page.evaluate<number>(`document.querySelectorAll('*').length`);
    const slowest = Math.max(0, ...clicks);
    const median = clicks.toSorted((a, b) => a - b)[Math.floor(clicks.length / 2)] ?? 0;
    process.stdout.write(
      `renderer ${cores.toFixed(3)} of a core, ${landed} clicks of ${median} ms at the median and ${slowest} at most, ${nodes} elements, ${((frames - framesBefore) / seconds).toFixed(0)} frames a second\n`,
    );
    expect((frames - framesBefore) / seconds).toBeGreaterThan(MESSAGES_PER_SECOND * 0.9);
    expect(landed).toBeGreaterThan(SECONDS / 15);
    expect(cores).toBeLessThan(MAX_RENDERER_CORES);
    expect(slowest).toBeLessThan(MAX_CLICK_MS);
    expect(nodes).toBeLessThan(MAX_NODES);
  } finally {
    await load.stop();
  }
  expect(errors).toEqual([]);
});

/** Clicks into the moving list. Returns 1 if the conversation under the pointer opens. */
async function clickRow(page: Page): Promise<number> {
  const list = await page.locator('[data-conversation]').first().locator('..').boundingBox();
  await page.mouse.move((list?.x ?? 0) + 100, (list?.y ?? 0) + 150);
  const number =
    (await page.locator('[data-conversation]:hover').getAttribute('data-conversation')) ?? '';
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForURL(`**/conversations/${encodeURIComponent(number)}`);
  return 1;
}

/** Returns the CPU seconds of all renderer processes. Only one of them is busy. */
async function readRendererSeconds(devtools: CDPSession): Promise<number> {
  const { processInfo } = (await devtools.send('SystemInfo.getProcessInfo')) as {
    processInfo: { type: string; cpuTime: number }[];
  };
  return processInfo
    .filter(({ type }) => type === 'renderer')
    .reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}
