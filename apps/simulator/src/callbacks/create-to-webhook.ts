import type { AccountStore } from '../accounts/account-store.ts';
import type { VendorAccountStore } from '../accounts/vendor-account-store.ts';
import type { Message } from '../messages/message.ts';
import type { PhoneNumber } from '../numbers/owned-number.ts';
import { toPhoneWebhook } from '../phone-gateway/webhooks.ts';
import { toTelnyxWebhook } from '../telnyx/webhooks.ts';
import { toVonageWebhook } from '../vonage/webhooks.ts';
import { toTwilioInbound } from './twilio-inbound.ts';
import { toTwilioStatus } from './twilio-status.ts';
import type { Webhook } from './webhook-sender.ts';

/**
 * Creates the webhook for the current status of a message, or for a message that the number has
 * received; null if the provider sends none.
 */
export type ToWebhook = (message: Message, number?: PhoneNumber) => Webhook | null;

export function createToWebhook(
  accounts: Pick<AccountStore, 'get'>,
  vendorAccounts: Pick<VendorAccountStore, 'find'>,
): ToWebhook {
  return function toWebhook(message, number) {
    const account = vendorAccounts.find(message.accountSid);
    if (account === null) {
      return number === undefined
        ? toTwilioStatus(accounts, message)
        : toTwilioInbound(accounts, message, number);
    }
    switch (account.provider) {
      case 'telnyx':
        return toTelnyxWebhook(message, account);
      case 'vonage':
        return toVonageWebhook(message, account);
      case 'http':
        return toPhoneWebhook(message, account);
      case 'smpp':
        return null;
    }
  };
}
