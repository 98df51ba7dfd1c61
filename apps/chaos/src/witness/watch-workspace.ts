import { WebSocket } from 'ws';
import type { Random } from '@switchboard/testing/random';

/** An event of a message that a client received. */
export interface SeenEvent {
  type: string;
  messageId: string;
  status: string;
  providerSid: string | null;
}

/** A WebSocket client that reconnects with its cursor whenever its connection ends. */
export interface Witness {
  seen: readonly SeenEvent[];
  connections: number;
  /** Each `resync` frame: the number of events received before it, and `Date.now()`. */
  resyncs: readonly { after: number; atMs: number }[];
  /** Prevents a reconnect until the promise resolves. */
  stayDisconnectedUntil(back: Promise<unknown>): void;
  close(): void;
}

interface Frame {
  type: string;
  cursor: string;
  message?: { id: string; status: string; provider_sid: string | null };
}

const HANDSHAKE_MS = 4_000;
/** A stopped process keeps its connections open, so a silent connection is closed after this time. */
const SILENCE_MS = 6_000;
const RECONNECT_MS = { min: 50, max: 800 };

/** Connects a witness. Once the promise has resolved, the witness must receive every event. */
export async function watchWorkspace(options: {
  apiUrls: readonly string[];
  apiKey: string;
  random: Random;
  /** The certificate authority (CA) that issued the addresses' certificates, if Node does not trust it. */
  ca?: string;
}): Promise<Witness> {
  const { apiUrls, random } = options;
  const seen: SeenEvent[] = [];
  let cursor: string | null = null;
  let connections = 0;
  const resyncs: { after: number; atMs: number }[] = [];
  let closed = false;
  let mayReconnect: Promise<unknown> = Promise.resolve();
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
      restartSilenceTimer(current);
    });
    current.on('message', (data: Buffer) => {
      restartSilenceTimer(current);
      // Frames of an old connection arrive again on the new one and would count twice.
      if (current === socket) record(JSON.parse(data.toString('utf8')) as Frame);
    });
    current.on('error', () => undefined); // The handler of 'close' reconnects.
    current.on('close', () => {
      clearTimeout(timer);
      if (closed || current !== socket) return;
      const pauseMs = random.between(RECONNECT_MS.min, RECONNECT_MS.max);
      void mayReconnect.then(() => {
        if (!closed) timer = setTimeout(connect, pauseMs);
      });
    });
  }

  function restartSilenceTimer(current: WebSocket): void {
    clearTimeout(timer);
    timer = setTimeout(() => current.terminate(), SILENCE_MS);
  }

  function record(frame: Frame): void {
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
    stayDisconnectedUntil(back) {
      mayReconnect = back;
    },
    close() {
      closed = true;
      clearTimeout(timer);
      socket?.terminate();
    },
  };
}
