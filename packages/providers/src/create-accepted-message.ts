import type { ProviderAccount, ProviderMessage, SendRequest } from '@switchboard/core';

/**
 * Creates the message of a response that contains only the identifier. The other fields are those of the
 * request, or null if only the provider has them.
 */
export function createAcceptedMessage(
  sid: string,
  account: ProviderAccount,
  { to, from }: SendRequest,
  rawStatus: string,
): ProviderMessage {
  return {
    sid,
    vendorAccountId: account.vendorAccountId,
    status: 'queued',
    rawStatus,
    to,
    from,
    body: null,
    segments: null,
    mediaCount: null,
    errorCode: null,
    errorDetail: null,
    isOptOut: false,
    direction: 'outbound',
    createdAt: null,
  };
}
