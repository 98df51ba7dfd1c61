import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../test/launch-chromium.ts';
import { openPage, signIn } from '../test/open-page.ts';
import { type Stack, startStack } from '../test/start-stack.ts';

const SECONDS = Number(process.env['FLIP_SECONDS'] ?? 300);
const FLIPS_A_SECOND = 200;
/** A message is told as it is accepted, taken, sent and delivered. */
const FLIPS_A_MESSAGE = 4;
const TICK_MS = 100;
const LONGEST_FRAME_MS = 100;
const MEMORY_MARGIN_BYTES = 8_000_000;

let stack: Stack;
let browser: Browser;

beforeAll(async () => {
  [stack, browser] = await Promise.all([
    startStack({ RATE_LIMIT_UI: '1000000', LOG_LEVEL: 'warn', WORKER_CONCURRENCY: '64' }),
    launchChromium(),
  ]);
  const api = `/api/ui/workspaces/${stack.owner.workspaceId}`;
  await stack.ask('POST', `${api}/numbers`, { number: '+15005550006' });
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

  const load = startLoad();
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
  } finally {
    await load.stop();
  }
  // It still shows what is true: the newest message of all, delivered.
  await expect
    .poll(() => page.locator('[data-message]').first().locator('[data-status]').innerText(), {
      timeout: 60_000,
    })
    .toBe('Delivered');
  expect(complaints).toEqual([]);
});

/** Sends evenly, whatever the answers take, and never more at once than it can wait for. */
function startLoad() {
  const path = `/api/ui/workspaces/${stack.owner.workspaceId}/messages`;
  const under = new Set<Promise<unknown>>();
  const failures: unknown[] = [];
  let owed = 0;
  let sent = 0;
  const timer = setInterval(() => {
    owed += (FLIPS_A_SECOND / FLIPS_A_MESSAGE) * (TICK_MS / 1_000);
    while (owed >= 1 && under.size < 200) {
      owed -= 1;
      sent += 1;
      const to = `+1415555${String(1_000 + (sent % 9_000))}`;
      const sending = stack
        .ask('POST', path, { to, body: `Flip ${sent}` })
        .catch((error: unknown) => failures.push(error))
        .finally(() => under.delete(sending));
      under.add(sending);
    }
  }, TICK_MS);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(under);
      expect(failures).toEqual([]);
    },
  };
}
