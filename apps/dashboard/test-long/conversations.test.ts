import type { ConversationList } from '@switchboard/contracts';
import { EVENTUALLY } from '@switchboard/testing';
import type { CDPSession } from 'playwright-core';
import { expect, test } from 'vitest';
import { fillConversations } from '../test/fill-conversations.ts';
import { openPage, signIn } from '../test/open-page.ts';
import { api, browser, stack, useStack, view } from '../test/use-dashboard.ts';
import { createInteractionMeter, describeTimes } from './measure-interactions.ts';
import { type Memory, createMemoryMeter, describeMemory } from './measure-memory.ts';
import { workInInbox } from './work-in-inbox.ts';
import { writeEvents } from './write-events.ts';

const SECONDS = Number(process.env['CONVERSATION_SECONDS'] ?? 600);
const CONVERSATIONS = 50_000;
const MESSAGES_PER_SECOND = 50;
/** Elements in the document: a list that renders every row has hundreds of thousands. */
const MAX_ELEMENTS = 2_000;
/**
 * A user notices a tab that needs hundreds of megabytes more at the end of a day. With this much in ten
 * minutes, eight hours at this rate need less than 250 MB, and no node or listener of a row that is gone is
 * kept.
 */
const MAX_GROWTH: Memory = { heapBytes: 5_000_000, nodes: 1_000, listeners: 200 };

useStack({ fill: () => fillConversations(stack, CONVERSATIONS) });

// Inserts messages received from random conversations.
const RECEIVE = `
  WITH added AS (
    INSERT INTO message_records (id, workspace_id, direction, "to", "from", body, segments, status,
      created_at, updated_at, dispatch)
    SELECT uuid_v7(at), $1, 'inbound', '+15005550006',
      '+1415' || (2000000 + floor(random() * ${CONVERSATIONS})::int), 'One more ' || n, 1,
      'received', at, at, 'accepted'
    FROM generate_series(1, $2::int) n, LATERAL (SELECT clock_timestamp() AS at) t
    RETURNING *
  ), counter AS (
    INSERT INTO event_counters AS c (workspace_id, last_seq)
    SELECT $1, count(*) FROM added
    ON CONFLICT (workspace_id, slot) DO UPDATE SET last_seq = c.last_seq + excluded.last_seq
    RETURNING last_seq
  )
  INSERT INTO message_events
    (workspace_id, seq, message_id, message_version, type, at, visible, status, "from",
     provider_sid)
  SELECT $1, counter.last_seq - row_number() OVER () + 1, a.id, 0, 'received', a.created_at, true,
    a.status, a."from", a.provider_sid
  FROM added a, counter RETURNING seq, message_id AS "messageId"`;

test(`with ${CONVERSATIONS} conversations and ${MESSAGES_PER_SECOND} messages per second, the page receives every message, and its memory, nodes and listeners do not grow while a user works`, async () => {
  const { page, errors } = await openPage(browser);
  await signIn(page, stack);
  let frames = 0;
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      if (payload.includes('"message.created"')) frames += 1;
    }),
  );
  await page.goto(`${view}/conversations`);
  await page.locator('[data-conversation]').first().waitFor();
  await page.locator('[data-connection=live]:visible').waitFor();
  const framesBefore = frames;
  const devtools = await browser.newBrowserCDPSession();
  const measureMemory = await createMemoryMeter(page);
  const interactions = await createInteractionMeter(page);
  const loadedAt = performance.now();
  const load = writeEvents(stack, RECEIVE, MESSAGES_PER_SECOND);
  const samples: Memory[] = [];
  try {
    // The first round is warm-up: it loads the code of each view.
    await workInInbox(page, interactions);
    const cpuBefore = await readRendererSeconds(devtools);
    const begin = performance.now();
    const elapsed = (): number => (performance.now() - begin) / 1_000;
    while (elapsed() < SECONDS) {
      await workInInbox(page, interactions);
      if (elapsed() < (samples.length * SECONDS) / 10) continue;
      const sample = await measureMemory();
      samples.push(sample);
      process.stdout.write(`after ${elapsed().toFixed(0)} s: ${describeMemory(sample)}\n`);
    }
    const cores = ((await readRendererSeconds(devtools)) - cpuBefore) / elapsed();
    const rate = load.written() / ((performance.now() - loadedAt) / 1_000);
    process.stdout.write(
      `renderer ${cores.toFixed(3)} of a core, ${rate.toFixed(1)} messages per second\n`,
    );
  } finally {
    await load.stop();
  }
  const times = await interactions.read();
  const all = [...times.values()].flat().sort((a, b) => a - b);
  for (const [kind, each] of [...times, ['all', all] as const]) {
    process.stdout.write(`${describeTimes(kind, each)}\n`);
  }

  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined) throw new Error('The memory was not measured.');
  expect(last.heapBytes - first.heapBytes).toBeLessThan(MAX_GROWTH.heapBytes);
  expect(last.nodes - first.nodes).toBeLessThan(MAX_GROWTH.nodes);
  expect(last.listeners - first.listeners).toBeLessThan(MAX_GROWTH.listeners);
  const elements = await page.evaluate<number>(`document.querySelectorAll('*').length`);
  expect(elements).toBeLessThan(MAX_ELEMENTS);
  await expect.poll(() => frames - framesBefore, EVENTUALLY).toBe(load.written());
  const latest = await stack.request<ConversationList>('GET', `${api}/conversations`);
  const top = latest.data[0]?.number ?? '';
  await page.mouse.move(900, 400);
  await page.locator(`[data-conversation="${top}"][aria-posinset="1"]`).waitFor();
  expect(errors).toEqual([]);
});

/** Returns the CPU seconds of all renderer processes. Only one of them is busy. */
async function readRendererSeconds(devtools: CDPSession): Promise<number> {
  const { processInfo } = (await devtools.send('SystemInfo.getProcessInfo')) as {
    processInfo: { type: string; cpuTime: number }[];
  };
  return processInfo
    .filter(({ type }) => type === 'renderer')
    .reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}
