import type {
  ProviderAccount,
  ProviderAdapter,
  SendOutcome,
  SendRequest,
  WebhookRequest,
} from '@switchboard/core';
import type { WebhookContent } from '@switchboard/testing/webhooks';
import { afterEach } from 'vitest';
import type { AdapterOptions } from '../../src/adapter-options.ts';
import {
  respond,
  type FaultServer,
  type FaultServerOptions,
  type ReceivedRequest,
  startFaultServer,
} from '../fault-server.ts';

/** A response from the vendor's API. */
export interface VendorResponse {
  status: number;
  body: string;
}

/** What the suite needs from a vendor to test its adapter. */
export interface Vendor {
  createAdapter(options: AdapterOptions): ProviderAdapter;
  account: ProviderAccount;
  otherAccount: ProviderAccount;
  /**
   * Complete credentials, and the names of those that are secret or required. Null if they are not
   * a list of texts: then the vendor's own tests cover them.
   */
  credentials: {
    valid: Readonly<Record<string, string | number | boolean>>;
    secret: readonly string[];
    required: readonly string[];
  } | null;
  /** Only a request that sends a message proves the credentials. */
  isVerifiedByMessagesOnly?: true;
  /** The vendor's response that accepts a message, for any recipient. */
  acceptance: VendorResponse;
  errors: {
    throttled: VendorResponse;
    credentials: VendorResponse;
    /** A permanent refusal, which also answers a message without a recipient. */
    refused: VendorResponse;
    /** Null if the vendor does not report it. */
    optedOut: VendorResponse | null;
    /** A refusal that concerns only the account; null if the vendor does not report it. */
    accountOnly: VendorResponse | null;
    /** A response with a 5xx status. */
    internal: VendorResponse;
  };
  webhooks: {
    /** The vendor's status for a delivered message. */
    delivered: string;
    /** How long a signature is valid before and after its time; null for no limit. */
    toleranceMs: { past: number; future: number } | null;
    /** Signs a webhook as the vendor does for the account. */
    sign(account: ProviderAccount, content: WebhookContent, at: number): WebhookRequest;
  };
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
      const adapter = vendor.createAdapter({ callTimeoutMs: 15_000, ...options });
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

    accept: give(vendor.acceptance),
    give,
  };
}

/** Returns a handler that gives every request this response. */
function give({ status, body }: VendorResponse): (received: ReceivedRequest) => void {
  return (received) => respond(received, status, body);
}
