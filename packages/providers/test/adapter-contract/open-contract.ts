import type { ProviderAccount, ProviderAdapter, SendOutcome, SendRequest } from '@switchboard/core';
import { afterEach } from 'vitest';
import {
  answer,
  type FaultServer,
  type FaultServerOptions,
  type ReceivedRequest,
  startFaultServer,
} from '../fault-server.ts';

export interface AdapterOptions {
  apiUrl: string;
  callTimeoutMs: number;
  connectTimeoutMs?: number;
  maxConnections?: number;
  ca?: string;
}

/** A vendor, as far as the suite needs it to test the vendor's adapter. */
export interface Vendor {
  createAdapter(options: AdapterOptions): ProviderAdapter;
  account: ProviderAccount;
  /** The vendor's answer that accepts a message, for any recipient. */
  acceptance: { status: number; body: string };
}

export type AdapterContract = ReturnType<typeof openContract>;

export const UNREACHABLE = { kind: 'not_sent', reason: 'unreachable', code: null };

const request: SendRequest = {
  messageId: '0197a000-0000-7000-8000-000000000001',
  attempt: 1,
  to: '+15551234567',
  from: '+15557654321',
  body: 'Hello',
  mediaUrls: [],
  statusUrl: 'https://switchboard.example/status?message=1&attempt=1',
};

/** Creates adapters and fault servers, and closes them after each test. */
export function openContract(name: string, vendor: Vendor) {
  const open: { close(): Promise<void> }[] = [];

  afterEach(async () => {
    for (const item of open.splice(0).reverse()) await item.close();
  });

  return {
    name,
    vendor,
    request,

    createAdapter(options: Partial<AdapterOptions> & { apiUrl: string }): ProviderAdapter {
      const adapter = vendor.createAdapter({ callTimeoutMs: 3_000, ...options });
      open.push(adapter);
      return adapter;
    },

    async start(
      onRequest: (received: ReceivedRequest) => void,
      options?: FaultServerOptions,
    ): Promise<FaultServer> {
      const server = await startFaultServer(onRequest, options);
      open.push(server);
      return server;
    },

    send: (adapter: ProviderAdapter, mayWrite = () => true): Promise<SendOutcome> =>
      adapter.send(vendor.account, request, mayWrite),

    accept(received: ReceivedRequest): void {
      answer(received, vendor.acceptance.status, vendor.acceptance.body);
    },
  };
}
