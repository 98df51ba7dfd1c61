import type {
  InboundMessage,
  ProviderAccount,
  StatusCallback,
  WebhookOutcome,
} from '@switchboard/core';
import {
  createTelnyxAccount,
  createVonageAccount,
  formatTelnyxEvent,
  signTelnyxBody,
  signVonageBody,
} from '@switchboard/testing/webhooks';
import twilio from 'twilio';
import { createTelnyxAdapter } from '../../src/telnyx/telnyx-adapter.ts';
import { createTwilioAdapter } from '../../src/twilio/twilio-adapter.ts';
import { createVonageAdapter } from '../../src/vonage/vonage-adapter.ts';
import { requirePart } from '../require-part.ts';

const options = { apiUrl: 'http://127.0.0.1:9', callTimeoutMs: 1_000 };
const adapters = {
  twilio: createTwilioAdapter(options),
  telnyx: createTelnyxAdapter(options),
  vonage: createVonageAdapter(options),
};
const accounts = {
  twilio: { vendorAccountId: `AC${'0'.repeat(32)}`, secret: 'token', senderPool: null },
  telnyx: createTelnyxAccount('KEY'),
  vonage: createVonageAccount('bf0ca0bf-5c5b-4a5b-9a5f-1f0a5f6f0001', 'secret'),
} satisfies Record<string, ProviderAccount>;

type Vendor = keyof typeof adapters;

/** Fields that the vendor sends with every webhook of the kind. */
const SHARED = {
  twilio: {
    inbound: { MessageSid: 'MM1', From: '+14155550123', To: '+14155550100' },
    status: { MessageSid: 'SM1', MessageStatus: 'failed' },
  },
  telnyx: {
    inbound: {
      id: 'm1',
      from: { phone_number: '+14155550123' },
      to: [{ phone_number: '+14155550100' }],
    },
    status: { id: 'm1', to: [{ phone_number: '+14155550123', status: 'delivery_failed' }] },
  },
  vonage: {
    inbound: { message_uuid: 'm1', channel: 'mms', from: '14155550123', to: '14155550100' },
    status: { message_uuid: 'm1', status: 'undeliverable' },
  },
};

function sign(vendor: Vendor, kind: 'inbound' | 'status', fields: object) {
  const all = { ...SHARED[vendor][kind], ...fields };
  const account = accounts[vendor];
  if (vendor === 'telnyx') return signTelnyxBody(account, formatTelnyxEvent(kind, all));
  if (vendor === 'vonage') return signVonageBody(account, JSON.stringify(all));
  const form = { AccountSid: account.vendorAccountId, ...all } as Record<string, string>;
  const url = 'https://x.example/webhook';
  return {
    url,
    headers: {
      'x-twilio-signature': twilio.getExpectedTwilioSignature(account.secret, url, form),
    },
    body: Buffer.from(new URLSearchParams(form).toString()),
  };
}

function contentOf<Content>(outcome: WebhookOutcome<Content>): Content {
  if (outcome.kind === 'read') return outcome.content;
  throw new Error(`the webhook was ${outcome.kind}`);
}

/** Reads a signed inbound message with these fields. Throws if the adapter refuses it. */
export function readInbound(vendor: Vendor, fields: object): InboundMessage {
  return contentOf(
    requirePart(adapters[vendor], 'webhooks').readInbound(
      accounts[vendor],
      sign(vendor, 'inbound', fields),
    ),
  );
}

/** Reads a signed status callback with these fields. Throws if the adapter refuses it. */
export function readStatus(vendor: Vendor, fields: object): StatusCallback {
  return contentOf(
    requirePart(adapters[vendor], 'webhooks').readStatusCallback(
      accounts[vendor],
      sign(vendor, 'status', fields),
    ),
  );
}
