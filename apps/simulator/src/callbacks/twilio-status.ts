import type { AccountStore } from '../accounts/account-store.ts';
import { errorMessageOf } from '../messages/magic-numbers.ts';
import type { Message } from '../messages/message.ts';
import { createTwilioWebhook } from './twilio-webhook.ts';
import type { Webhook } from './webhook-sender.ts';

/** Creates Twilio's status callback for the current status of a message. */
export function toTwilioStatus(
  accounts: Pick<AccountStore, 'get'>,
  message: Message,
): Webhook | null {
  const { statusCallback, accountSid } = message;
  if (statusCallback === null) return null;
  return createTwilioWebhook({
    url: statusCallback,
    method: 'POST',
    fields: fieldsOf(message),
    token: accounts.get(accountSid).token,
  });
}

function fieldsOf(message: Message): Record<string, string> {
  const { sid, status, errorCode, messagingServiceSid } = message;
  const errorMessage = errorMessageOf(errorCode);
  return {
    AccountSid: message.accountSid,
    ApiVersion: '2010-04-01',
    From: message.from ?? '',
    MessageSid: sid,
    MessageStatus: status,
    SmsSid: sid,
    SmsStatus: status,
    To: message.to,
    ...(errorCode !== null && { ErrorCode: String(errorCode) }),
    ...(errorMessage !== null && { ErrorMessage: errorMessage }),
    ...(messagingServiceSid !== null && { MessagingServiceSid: messagingServiceSid }),
    ...(status === 'delivered' && { RawDlrDoneDate: formatDlrDate(message.updatedAt) }),
  };
}

/** Formats a time as in a delivery receipt, YYMMDDhhmm: `2611200605`. */
function formatDlrDate(ms: number): string {
  return new Date(ms).toISOString().replace(/\D/g, '').slice(2, 12);
}
