import type { ProviderAccount, WebhookRequest } from '@switchboard/core';
import twilio from 'twilio';
import type { WebhookContent } from '@switchboard/testing/webhooks';

/** Signs a webhook as Twilio does. */
export function signTwilioWebhook(
  account: ProviderAccount,
  content: WebhookContent,
): WebhookRequest {
  const url =
    content.kind === 'status'
      ? `https://x.example/status?message=${content.messageId}&attempt=1`
      : 'https://x.example/inbound';
  const fields: Record<string, string> = {
    AccountSid: account.vendorAccountId,
    ...(content.sid === undefined ? {} : { MessageSid: content.sid }),
    ...(content.kind === 'status'
      ? { MessageStatus: content.rawStatus, ErrorCode: content.errorCode ?? '' }
      : { To: content.to, From: content.from, Body: content.text }),
  };
  const signature = twilio.getExpectedTwilioSignature(account.secret, url, fields);
  return {
    url,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': signature,
    },
    body: Buffer.from(new URLSearchParams(fields).toString()),
  };
}
