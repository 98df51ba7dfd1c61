import type { MessageList } from '@switchboard/contracts';
import { EVENTUALLY } from '@switchboard/testing';
import type { WebSocketRoute } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { api, page, stack, useDashboard, view } from './use-dashboard.ts';

const ADA = '+14155550171';
/** A dead connection is detected within a minute. */
const DETECTED = { timeout: 120_000 };

useDashboard({
  async fill() {
    await stack.request('POST', `${api}/numbers`, { number: '+15005550006' });
    await stack.receive(ADA, 'Is my order ready?');
  },
});

/** The URLs of the connections so far. */
let connections: URL[] = [];
/** The connection that looks open and forwards nothing. */
let frozen: WebSocketRoute | null = null;
let last: WebSocketRoute | null = null;
/** Whether new connections are closed. */
let isRefused = false;

beforeEach(async () => {
  await page.unrouteAll({ behavior: 'wait' });
  connections = [];
  frozen = null;
  await page.routeWebSocket('**/events*', (socket) => {
    connections.push(new URL(socket.url()));
    last = socket;
    if (isRefused) {
      void socket.close();
      return;
    }
    const server = socket.connectToServer();
    server.onMessage((frame) => {
      if (frozen !== socket) socket.send(frame);
    });
    socket.onMessage((frame) => {
      if (frozen !== socket) server.send(frame);
    });
  });
  await page.goto(`${view}/conversations/${ADA}`);
  await log().getByText('Is my order ready?').waitFor();
  await page.locator('[data-connection=live]:visible').waitFor();
});

const log = () => page.getByRole('log');
const reply = () => page.getByRole('textbox', { name: 'Reply' });

test('a connection that is silent for a minute is replaced, and the messages that it did not bring appear', async () => {
  frozen = last;
  // The page reads the thread once more after it has connected, which may bring the first of these.
  for (const text of ['Hello?', 'Anyone?', 'Are you there?']) {
    await stack.receive(ADA, text);
    await page.waitForTimeout(1_000);
  }
  await expect.poll(() => connections.length, DETECTED).toBeGreaterThanOrEqual(2);
  await log().getByText('Are you there?').waitFor();
  expect(connections.at(-1)?.searchParams.has('cursor')).toBe(true);
  await page.locator('[data-connection=live]:visible').waitFor();
});

test('a quiet connection whose server sends heartbeats stays open for more than a minute', async () => {
  const since = Date.now();
  await expect.poll(() => Date.now() - since, DETECTED).toBeGreaterThan(65_000);
  expect(connections).toHaveLength(1);
});

test('a page that slept replaces its connection as soon as it wakes up', async () => {
  await page.clock.install();
  await page.reload();
  await log().getByText('Is my order ready?').waitFor();
  await page.locator('[data-connection=live]:visible').waitFor();
  const before = connections.length;
  frozen = last;
  await stack.receive(ADA, 'Good morning');
  await page.clock.fastForward('08:00:00');
  await expect.poll(() => connections.length, EVENTUALLY).toBe(before + 1);
  await log().getByText('Good morning').waitFor();
});

test('a reply appears when the server has accepted it, even on a dead connection, and it is shown once', async () => {
  frozen = last;
  await reply().fill('Yes, come by');
  await reply().press('Enter');
  await log().getByText('Yes, come by').waitFor();
  expect(connections).toHaveLength(1);
  frozen = null;
  await last?.close();
  await log().locator('[data-status=delivered]').last().waitFor();
  expect(await log().getByText('Yes, come by').count()).toBe(1);
  const path = `${api}/messages?to=${encodeURIComponent(ADA)}`;
  const { messages } = await stack.request<MessageList>('GET', path);
  expect(messages.filter(({ body }) => body === 'Yes, come by')).toHaveLength(1);
});

test('messages of a long outage are read again until a read succeeds', async () => {
  const before = connections.length;
  isRefused = true;
  await last?.close();
  await stack.receive(ADA, 'Sent during the outage');
  // After some failures, the page no longer trusts its position in the events, and reads everything again.
  const hasCursor = () => connections.slice(before).map((url) => url.searchParams.has('cursor'));
  await expect.poll(hasCursor, EVENTUALLY).toContain(false);
  let reads = 0;
  await page.route('**/conversations/*/messages?*', (route) => {
    reads += 1;
    // One read of the thread is one request, which is repeated three times.
    return reads <= 4 ? route.abort() : route.fallback();
  });
  isRefused = false;
  await page.locator('[data-connection=live]:visible').waitFor();
  await log().getByText('Sent during the outage').waitFor();
  expect(reads).toBeGreaterThan(4);
});
