import type { ProviderAccount } from '@switchboard/core';

export const TWILIO_ACCOUNT: ProviderAccount = {
  vendorAccountId: `AC${'a1'.repeat(16)}`,
  secret: 'an auth token',
  senderPool: null,
};

/** Creates a message SID from a number. */
export function toSid(number: number): string {
  return `SM${number.toString(16).padStart(32, '0')}`;
}

/** Creates a Message resource in Twilio's format. */
export function formatMessage(changes: Record<string, unknown> = {}) {
  return {
    account_sid: TWILIO_ACCOUNT.vendorAccountId,
    api_version: '2010-04-01',
    body: 'Hello',
    date_created: 'Fri, 20 Nov 2026 04:33:00 +0000',
    date_sent: null,
    date_updated: 'Fri, 20 Nov 2026 04:33:00 +0000',
    direction: 'outbound-api',
    error_code: null,
    error_message: null,
    from: '+15557654321',
    messaging_service_sid: null,
    num_media: '0',
    num_segments: '1',
    price: null,
    price_unit: 'USD',
    sid: toSid(1),
    status: 'queued',
    subresource_uris: {},
    to: '+15551234567',
    uri: `/2010-04-01/Accounts/${TWILIO_ACCOUNT.vendorAccountId}/Messages/${toSid(1)}.json`,
    ...changes,
  };
}
