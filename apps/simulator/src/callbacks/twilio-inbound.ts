import type { AccountStore } from '../accounts/account-store.ts';
import { ownPictureOf } from '../inbound/picture-store.ts';
import { contentTypeOf } from '../messages/content-type-of.ts';
import { countSegments } from '../messages/count-segments.ts';
import { mediaSidOf } from '../messages/media-sid.ts';
import type { Message } from '../messages/message.ts';
import type { PhoneNumber } from '../numbers/owned-number.ts';
import { createTwilioWebhook } from './twilio-webhook.ts';
import type { Webhook } from './webhook-sender.ts';

/** Creates Twilio's webhook for a received message. */
export function toTwilioInbound(
  accounts: Pick<AccountStore, 'get'>,
  message: Message,
  { smsUrl, smsMethod, accountSid }: PhoneNumber,
): Webhook {
  const { token } = accounts.get(accountSid);
  return createTwilioWebhook({ url: smsUrl, method: smsMethod, fields: fieldsOf(message), token });
}

/** Uses Twilio's host, because clients of the simulator replace that host in every URL. */
function mediaUrlOf({ accountSid, sid }: Message, index: number): string {
  const path = `/2010-04-01/Accounts/${accountSid}/Messages/${sid}/Media`;
  return `https://api.twilio.com${path}/${mediaSidOf(sid, index)}`;
}

function fieldsOf(message: Message): Record<string, string> {
  return {
    AccountSid: message.accountSid,
    ApiVersion: '2010-04-01',
    Body: message.body,
    From: message.from ?? '',
    MessageSid: message.sid,
    NumMedia: String(message.mediaUrls.length),
    NumSegments: String(countSegments(message.body)),
    SmsMessageSid: message.sid,
    SmsSid: message.sid,
    SmsStatus: 'received',
    To: message.to,
    ...Object.fromEntries(
      message.mediaUrls.flatMap((url, i) => [
        // The simulator's own pictures get Twilio's media URLs. Other URLs are passed on unchanged.
        [`MediaUrl${i}`, ownPictureOf(url) === null ? url : mediaUrlOf(message, i)],
        [`MediaContentType${i}`, contentTypeOf(url)],
      ]),
    ),
  };
}
