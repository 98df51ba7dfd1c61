import type { Socket } from 'node:net';
import { Client, type Dispatcher, Pool, type buildConnector } from 'undici';

import { createConnectionSlots } from './connection-slots.ts';
import { createConnector } from './create-connector.ts';
import { decodeBody } from './decode-body.ts';
import { describeError } from './describe-error.ts';
import { limitResponses } from './limit-responses.ts';
import type { OutboundProxy } from './outbound-proxy.ts';

export interface OriginClientOptions {
  /** Scheme, host and port of the server that receives every request. */
  origin: string;
  maxConnections: number;
  connectTimeoutMs: number;
  /** Trusted CA certificates in PEM that replace the system's. */
  ca?: string;
  proxy?: OutboundProxy | null | undefined;
  /** Opens connections, with its own timeout, certificates and proxy. */
  connector?: buildConnector.connector;
  /** A longer response is incomplete. Default 4 MiB. */
  maxResponseBytes?: number;
}

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
}

export interface HttpCallLimits {
  /** Limit in milliseconds for the whole call: waiting, connecting, writing and reading. */
  timeoutMs: number;
  /** Called once, when a connection is ready, in the same tick as the write. */
  mayWrite(): boolean;
}

export type HttpHeaders = Record<string, string | string[] | undefined>;

/** The outcome of one request. Only `not_written` proves that the server received nothing. */
export type HttpOutcome =
  /** No byte of the request left this process. */
  | { kind: 'not_written'; reason: 'unreachable' | 'lease_expired'; detail: string }
  /**
   * The request was written, and no complete response arrived. `status` is set if it was received.
   */
  | { kind: 'broken'; status: number | null; headers: HttpHeaders; detail: string }
  | {
      kind: 'answered';
      status: number;
      headers: HttpHeaders;
      /** When the headers arrived, on this process's clock. */
      headersAt: number;
      body: string;
      /**
       * Closes the connection. Call it when the response belongs to another request, because later
       * responses on the connection would, too.
       */
      closeConnection(): void;
    };

/** Makes single requests to one origin, without retries, redirects or pipelining. */
export interface OriginClient {
  /** Never rejects. */
  exchange(request: HttpRequest, limits: HttpCallLimits): Promise<HttpOutcome>;
  /** Refuses new calls, waits for those in flight and closes the connections. */
  close(): Promise<void>;
}

// Servers drop idle connections silently, and a request written to such a connection has an unknown
// outcome. So we close idle connections before almost any server would, and two seconds before the
// limit of a server that announces one (undici's threshold).
const KEEP_ALIVE_MS = 4_000;
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

/** A request that receives its connection when it is written. */
interface TracedRequest extends Dispatcher.DispatchOptions {
  onConnection?(close: () => void): void;
}

/** A client with one connection at a time. Each request can close that connection. */
class TracedClient extends Client {
  #socket: Socket | null = null;

  constructor(origin: URL | string, options: Client.Options, connector: buildConnector.connector) {
    super(origin, {
      ...options,
      connect: (target, callback) => {
        connector(target, (...result) => {
          this.#socket = result[1];
          callback(...result);
        });
      },
    });
  }

  override dispatch(request: TracedRequest, handler: Dispatcher.DispatchHandler): boolean {
    request.onConnection?.(() => this.#socket?.destroy());
    return super.dispatch(request, handler);
  }
}

export function createOriginClient(options: OriginClientOptions): OriginClient {
  const { maxResponseBytes = MAX_RESPONSE_BYTES } = options;
  const connector = limitResponses(
    options.connector ??
      createConnector({
        timeoutMs: options.connectTimeoutMs,
        ca: options.ca,
        proxy: options.proxy,
      }),
    maxResponseBytes,
  );
  const pool = new Pool(options.origin, {
    connections: options.maxConnections,
    pipelining: 1,
    factory: (origin, clientOptions: Client.Options) =>
      new TracedClient(origin, clientOptions, connector),
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    // The deadline of the call covers both, and also a server that sends slowly.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: maxResponseBytes,
  });
  const slots = createConnectionSlots(options.maxConnections);
  const inFlight = new Set<Promise<HttpOutcome>>();
  let closing: Promise<void> | null = null;

  function exchange(request: HttpRequest, limits: HttpCallLimits): Promise<HttpOutcome> {
    if (closing !== null) {
      return Promise.resolve(notWritten('unreachable', 'The connection pool is closed.'));
    }
    const outcome = new Promise<HttpOutcome>((resolve) => {
      runCall(pool, slots, request, limits, resolve);
    });
    inFlight.add(outcome);
    void outcome.then(() => inFlight.delete(outcome));
    return outcome;
  }

  return {
    exchange,
    close() {
      closing ??= Promise.all(inFlight).then(() => pool.destroy());
      return closing;
    },
  };
}

function runCall(
  pool: Pool,
  slots: ReturnType<typeof createConnectionSlots>,
  request: HttpRequest,
  limits: HttpCallLimits,
  resolve: (outcome: HttpOutcome) => void,
): void {
  // Set in the tick in which the request is written, never earlier. This variable alone decides
  // between "never sent" and "maybe sent"; error codes only explain.
  let written: Dispatcher.DispatchController | null = null;
  let isFinished = false;
  let closeConnection = (): void => {};
  let status: number | null = null;
  let headers: HttpHeaders = {};
  let headersAt = 0;
  const chunks: Buffer[] = [];

  function finish(outcome: HttpOutcome): void {
    if (isFinished) return;
    isFinished = true;
    clearTimeout(deadline);
    resolve(outcome);
  }

  function fail(detail: string): void {
    finish(
      written === null
        ? notWritten('unreachable', detail)
        : { kind: 'broken', status, headers, detail },
    );
  }

  const handler: Dispatcher.DispatchHandler = {
    // undici calls this from the function that then writes the request, without returning to the
    // event loop in between (lib/dispatcher/client-h1.js, `writeH1`). An exception here removes the
    // request from the queue before anything is written, and keeps the connection for the next one;
    // `controller.abort` would destroy it.
    onRequestStart(controller) {
      if (isFinished || written !== null) throw new Error('The call has ended.');
      if (!limits.mayWrite()) {
        finish(notWritten('lease_expired', 'The lease expired before the request was written.'));
        throw new Error('The lease expired.');
      }
      written = controller;
    },
    onResponseStart(_controller, statusCode, responseHeaders) {
      if (statusCode < 200) return;
      status = statusCode;
      headers = responseHeaders;
      headersAt = Date.now();
    },
    onResponseData(_controller, chunk) {
      chunks.push(chunk);
    },
    onResponseEnd() {
      if (status === null) fail('The response has no status.');
      else {
        const body = decodeBody(Buffer.concat(chunks), headers['content-type']);
        finish({ kind: 'answered', status, headers, headersAt, body, closeConnection });
      }
      releaseSoon();
    },
    onResponseError(_controller, error) {
      fail(describeError(error));
      releaseSoon();
    },
  };

  // undici returns a connection to the pool in the next turn of the event loop; a call started
  // before that would wait in its queue.
  function releaseSoon(): void {
    setImmediate(() => slots.release());
  }

  const deadline = setTimeout(() => {
    stopWaiting();
    const detail = `No complete response within ${limits.timeoutMs} ms.`;
    fail(detail);
    written?.abort(new Error(detail));
  }, limits.timeoutMs);

  const traced: TracedRequest = {
    ...request,
    onConnection: (close) => {
      closeConnection = close;
    },
  };
  const stopWaiting = slots.take(() => pool.dispatch(traced, handler));
}

function notWritten(reason: 'unreachable' | 'lease_expired', detail: string): HttpOutcome {
  return { kind: 'not_written', reason, detail };
}
