import { randomUUID } from 'node:crypto';
import {
  type ProviderAccount,
  SECRET_FIELD,
  type WebhookRequest,
  createUuidV7,
} from '@switchboard/core';
import { createSecretBox } from '@switchboard/runtime';
import { TEST_SECRET_KEY } from '@switchboard/testing';
import {
  type WebhookContent,
  createGatewayAccount,
  createTelnyxAccount,
  createVonageAccount,
  formatGatewayWebhook,
  signGatewayBody,
  signTelnyxBody,
  signTelnyxWebhook,
  signVonageBody,
  signVonageWebhook,
} from '@switchboard/testing/webhooks';

export const VENDORS = ['telnyx', 'vonage', 'http'] as const;

export type Vendor = (typeof VENDORS)[number];

/** A provider account whose webhooks a test can sign. */
export interface VendorAccount {
  id: string;
  vendor: Vendor;
  account: ProviderAccount;
}

/** Returns the vendor in the path of a webhook. Throws for the path of any other vendor. */
export function vendorOf(path: string): Vendor {
  const found = VENDORS.find((vendor) => path.startsWith(`/api/webhooks/${vendor}/`));
  if (found === undefined) throw new Error(`${path} is not a webhook of ${VENDORS.join(' or ')}`);
  return found;
}

/** How each vendor creates accounts and signs webhooks. */
const TOOLS = {
  telnyx: {
    createAccount: () => createTelnyxAccount('KEY'),
    signBody: (account, body) => signTelnyxBody(account, body),
    sign: (account, content) => signTelnyxWebhook(account, content, Date.now()),
  },
  vonage: {
    createAccount: () => createVonageAccount(randomUUID(), randomUUID()),
    signBody: (account, body) => signVonageBody(account, body),
    sign: (account, content) => signVonageWebhook(account, content, Date.now()),
  },
  http: {
    createAccount: createGatewayAccount,
    signBody: (account, body) => signGatewayBody(account, body),
    sign: (account, content) => signGatewayBody(account, formatGatewayWebhook(content)),
  },
} satisfies Record<
  Vendor,
  {
    createAccount(): ProviderAccount;
    signBody(account: ProviderAccount, body: string): WebhookRequest;
    sign(account: ProviderAccount, content: WebhookContent): WebhookRequest;
  }
>;

/** Creates an account with its own keys. */
export function createVendorAccount(vendor: Vendor): ProviderAccount {
  return TOOLS[vendor].createAccount();
}

/** Adds an account that its vendor has verified. */
export async function addVendorAccount(
  sql: (text: string, values: unknown[]) => Promise<unknown>,
  workspaceId: string,
  vendor: Vendor,
): Promise<VendorAccount> {
  const id = createUuidV7(Date.now());
  const account = createVendorAccount(vendor);
  const owner = { workspaceId, field: SECRET_FIELD };
  const sealed = createSecretBox(TEST_SECRET_KEY).seal(account.secret, owner);
  await sql(
    `INSERT INTO provider_accounts (id, workspace_id, type, vendor_account_id, sealed_secret,
       secret_last4, verified_credentials, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, '', $5, now(), now())`,
    [id, workspaceId, vendor, account.vendorAccountId, sealed],
  );
  return { id, vendor, account };
}

/** Signs the body of a webhook as the vendor does, and returns the headers. */
export function signAs(
  { vendor, account }: Pick<VendorAccount, 'vendor' | 'account'>,
  body: string,
): Record<string, string> {
  return toHeaders(TOOLS[vendor].signBody(account, body).headers);
}

/** Returns the body and the headers of a valid webhook. */
export function createWebhook(
  { vendor, account }: VendorAccount,
  kind: 'status' | 'inbound',
  sid: string,
): { raw: string; headers: Record<string, string> } {
  const content =
    kind === 'status'
      ? ({ kind, sid, messageId: createUuidV7(Date.now()), rawStatus: 'delivered' } as const)
      : ({ kind, sid, from: '+14155550123', to: '+14155550100', text: 'Hello' } as const);
  const { body, headers } = TOOLS[vendor].sign(account, content);
  return { raw: Buffer.from(body).toString(), headers: toHeaders(headers) };
}

function toHeaders(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
