import { WebSocket } from 'ws';
import type { Random } from '../random.ts';

/** What a client saw happen to a message. */
export interface SeenEvent {
  type: string;
  messageId: string;
  status: string;
  providerSid: string | null;
}

/** A WebSocket client that comes back by its cursor whenever its connection ends. */
export interface Witness {
  seen: readonly SeenEvent[];
  connections: number;
  /** Each time that it was told that events are gone: how many it had seen, and `Date.now()`. */
  resyncs: readonly { after: number; atMs: number }[];
  /** Once its connection has ended it does not come back before this resolves. */
  stayAwayUntil(back: Promise<unknown>): void;
  close(): void;
}

interface Frame {
  type: string;
  cursor: string;
  message?: { id: string; status: string; provider_sid: string | null };
}

const HANDSHAKE_MS = 4_000;
/** A process that stands still keeps its connections: silence is taken for that. */
const SILENCE_MS = 6_000;
const RECONNECT_MS = { least: 50, most: 800 };

/** Resolves once it listens: from there on it must see everything. */
export async function watchWorkspace(options: {
  apiUrls: readonly string[];
  apiKey: string;
  random: Random;
  /** The authority that has signed the addresses' certificates, where no machine knows it. */
  ca?: string;
}): Promise<Witness> {
  const { apiUrls, random } = options;
  const seen: SeenEvent[] = [];
  let cursor: string | null = null;
  let connections = 0;
  const resyncs: { after: number; atMs: number }[] = [];
  let closed = false;
  let mayReturn: Promise<unknown> = Promise.resolve();
  let socket: WebSocket | null = null;
  let timer: NodeJS.Timeout | undefined;
  let onReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => {
    onReady = resolve;
  });

  function connect(): void {
    const url = new URL('/api/events', random.pick(apiUrls).replace(/^http/, 'ws'));
    if (cursor !== null) url.searchParams.set('cursor', cursor);
    const current = new WebSocket(url, {
      headers: { authorization: `Bearer ${options.apiKey}` },
      handshakeTimeout: HANDSHAKE_MS,
      ...(options.ca !== undefined && { ca: options.ca }),
    });
    socket = current;
    current.on('open', () => {
      connections += 1;
      listen(current);
    });
    current.on('message', (data: Buffer) => {
      listen(current);
      // What arrives after a cut would be counted twice.
      if (current === socket) take(JSON.parse(data.toString('utf8')) as Frame);
    });
    current.on('error', () => undefined); // 'close' follows
    current.on('close', () => {
      clearTimeout(timer);
      if (closed || current !== socket) return;
      const pauseMs = random.between(RECONNECT_MS.least, RECONNECT_MS.most);
      void mayReturn.then(() => {
        if (!closed) timer = setTimeout(connect, pauseMs);
      });
    });
  }

  function listen(current: WebSocket): void {
    clearTimeout(timer);
    timer = setTimeout(() => current.terminate(), SILENCE_MS);
  }

  function take(frame: Frame): void {
    cursor = frame.cursor;
    if (frame.type === 'ready') onReady();
    if (frame.type === 'resync') resyncs.push({ after: seen.length, atMs: Date.now() });
    if (frame.message === undefined) return;
    const { id, status, provider_sid: providerSid } = frame.message;
    seen.push({ type: frame.type, messageId: id, status, providerSid });
  }

  connect();
  await ready;
  return {
    seen,
    get connections() {
      return connections;
    },
    resyncs,
    stayAwayUntil(back) {
      mayReturn = back;
    },
    close() {
      closed = true;
      clearTimeout(timer);
      socket?.terminate();
    },
  };
}
