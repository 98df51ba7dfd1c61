import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@switchboard/embedded-postgres';
import { listen } from '@switchboard/testing';
import { Webhook } from 'standardwebhooks';
import type { Random } from '@switchboard/testing/random';

/** A request that the receiver has verified. */
export interface Delivery {
  /** The `webhook-id`. */
  id: string;
  sequence: number;
  type: string;
  /** Whether the response was 2xx. */
  acknowledged: boolean;
  /** When it arrived, as `Date.now()`. */
  at: number;
}

export interface Receiver {
  url: string;
  deliveries: readonly Delivery[];
  /** Requests whose signature is not valid. */
  forged: readonly string[];
  setSecret(secret: string): void;
  /** Answers every request with 200 from now on, without further faults. */
  heal(): Promise<void>;
  /** Answers 410 from now on. */
  leave(): void;
  close(): Promise<void>;
}

/** The probability of each fault in a response while the receiver is faulty. */
const FAULTS = [
  ['500', 0.06],
  ['429', 0.02],
  ['reset', 0.04],
  ['half', 0.02],
  ['hang', 0.01],
] as const;
const DOWN_EVERY_MS = { min: 3_000, max: 8_000 };
const DOWN_MS = { min: 300, max: 1_500 };

/**
 * Starts a receiver of workspace webhooks that fails, hangs, resets connections and becomes
 * unavailable.
 */
export async function startReceiver(random: Random): Promise<Receiver> {
  const port = await findFreePort();
  const deliveries: Delivery[] = [];
  const forged: string[] = [];
  let webhook: Webhook | null = null;
  let mode: 'faulty' | 'healthy' | 'gone' = 'faulty';
  let isClosing = false;
  let server = await open();

  async function open() {
    const created = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => answer(request, response, Buffer.concat(chunks).toString()));
    });
    return listen(created, port);
  }

  function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    const headers = request.headers as Record<string, string>;
    try {
      webhook?.verify(body, headers);
    } catch {
      forged.push(body);
      response.writeHead(401).end();
      return;
    }
    const { type, sequence } = JSON.parse(body) as { type: string; sequence: number };
    const fault = drawFault();
    deliveries.push({
      id: headers['webhook-id'] ?? '',
      sequence,
      type,
      acknowledged: fault === null,
      at: Date.now(),
    });
    if (fault === null) response.end('ok');
    else if (fault === 'reset') request.socket.resetAndDestroy();
    else if (fault === 'half') response.writeHead(200, { 'content-length': '10' }).write('half');
    else if (fault === '429') response.writeHead(429, { 'retry-after': '1' }).end();
    else if (fault !== 'hang') response.writeHead(Number(fault)).end();
  }

  function drawFault(): (typeof FAULTS)[number][0] | '410' | null {
    if (mode === 'gone') return '410';
    if (mode === 'healthy') return null;
    let chance = random.next();
    for (const [fault, probability] of FAULTS) {
      chance -= probability;
      if (chance < 0) return fault;
    }
    return null;
  }

  /** Repeatedly makes the receiver unavailable for a moment. */
  async function interruptRepeatedly(): Promise<void> {
    while (mode === 'faulty' && !isClosing) {
      await delay(random.between(DOWN_EVERY_MS.min, DOWN_EVERY_MS.max));
      if (mode !== 'faulty' || isClosing) return;
      await server.close();
      await delay(random.between(DOWN_MS.min, DOWN_MS.max));
      server = await open();
    }
  }
  const interruptions = interruptRepeatedly();

  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    deliveries,
    forged,
    setSecret: (secret) => (webhook = new Webhook(secret)),
    async heal() {
      mode = 'healthy';
      await interruptions;
    },
    leave: () => (mode = 'gone'),
    async close() {
      isClosing = true;
      await interruptions;
      await server.close();
    },
  };
}
