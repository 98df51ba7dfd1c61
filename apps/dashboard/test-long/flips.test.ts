import type { MessageList } from '@switchboard/contracts';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillHistory } from '../test/fill-history.ts';
import { launchChromium } from '../test/launch-chromium.ts';
import { openPage, signIn } from '../test/open-page.ts';
import { type Stack, startStack } from '../test/start-stack.ts';
import { writeEvents } from './write-events.ts';

const SECONDS = Number(process.env['FLIP_SECONDS'] ?? 300);
const FLIPS_A_SECOND = 200;
const LONGEST_FRAME_MS = 100;
const MEMORY_MARGIN_BYTES = 8_000_000;

let stack: Stack;
let browser: Browser;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), launchChromium()]);
  await fillHistory(stack);
}, 90_000);
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

test(`${FLIPS_A_SECOND} flips a second leave the open table smooth and its memory level`, async () => {
  const { page, complaints } = await openPage(browser);
  await signIn(page, stack);
  let flips = 0;
  page.on('websocket', (socket) => socket.on('framereceived', () => (flips += 1)));
  await page.reload();
  await page.locator('[data-line=live]:visible').waitFor();

  const load = writeEvents(stack, FLIP, FLIPS_A_SECOND);
  const devtools = await page.context().newCDPSession(page);
  async function measureHeap(): Promise<number> {
    await devtools.send('HeapProfiler.collectGarbage');
    return page.evaluate<number>('performance.memory.usedJSHeapSize');
  }

  try {
    // The first tenth is for the page to warm up.
    await page.waitForTimeout(SECONDS * 100);
    const heapBefore = await measureHeap();
    await page.evaluate(`
      window.longFrames = [];
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) window.longFrames.push(Math.round(duration));
      }).observe({ type: 'long-animation-frame' });
    `);
    const flipsBefore = flips;
    await page.waitForTimeout(SECONDS * 900);
    const longFrames = await page.evaluate<number[]>('window.longFrames');
    const rate = (flips - flipsBefore) / (SECONDS * 0.9);
    const heapAfter = await measureHeap();

    expect(rate).toBeGreaterThan(FLIPS_A_SECOND * 0.9);
    expect(longFrames.filter((ms) => ms > LONGEST_FRAME_MS)).toEqual([]);
    expect(heapAfter - heapBefore).toBeLessThan(MEMORY_MARGIN_BYTES);

    // What would have been seen: a page that is kept busy on purpose.
    await page.evaluate(`requestAnimationFrame(() => {
      const end = performance.now() + ${2 * LONGEST_FRAME_MS};
      while (performance.now() < end);
    })`);
    await expect
      .poll(() => page.evaluate<number>('Math.max(0, ...window.longFrames)'))
      .toBeGreaterThan(LONGEST_FRAME_MS);
  } finally {
    await load.stop();
  }
  // And it still shows what is true.
  const path = `/api/ui/workspaces/${stack.owner.workspaceId}/messages`;
  const { messages } = await stack.ask<MessageList>('GET', path);
  for (const { id, status } of messages.slice(0, 10)) {
    await page.locator(`[data-message="${id}"] [data-status=${status}]`).waitFor();
  }
  expect(complaints).toEqual([]);
});

const FLIP = `
  WITH chosen AS (
    SELECT id FROM (SELECT id FROM messages WHERE workspace_id = $1 ORDER BY id DESC LIMIT 50) latest
    ORDER BY random() LIMIT $2::int
  ), flipped AS (
    UPDATE messages m SET updated_at = clock_timestamp(), version = m.version + 1,
      status = (CASE m.status WHEN 'sent' THEN 'delivered' ELSE 'sent' END)::message_status
    FROM chosen WHERE m.id = chosen.id RETURNING m.*
  ), counter AS (
    UPDATE event_counters SET last_seq = last_seq + (SELECT count(*) FROM flipped)
    WHERE workspace_id = $1 RETURNING last_seq
  )
  INSERT INTO message_events
    (workspace_id, seq, message_id, type, at, visible, status, "from", provider_sid)
  SELECT $1, counter.last_seq - row_number() OVER () + 1, f.id, 'status_changed', f.updated_at, true,
    f.status, f."from", f.provider_sid
  FROM flipped f, counter RETURNING seq, message_id AS "messageId"`;
