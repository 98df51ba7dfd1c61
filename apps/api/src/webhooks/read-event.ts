import type {
  InboundMessage,
  ProviderAccount,
  ProviderWebhooks,
  StatusCallback,
  WebhookOutcome,
  WebhookRequest,
} from '@switchboard/core';

/** The content of a verified webhook. */
export type WebhookEvent =
  | { kind: 'status'; callback: StatusCallback }
  | { kind: 'inbound'; message: InboundMessage };

type Read = (
  webhooks: ProviderWebhooks,
  account: ProviderAccount,
  request: WebhookRequest,
) => WebhookOutcome<WebhookEvent>;

const readStatus: Read = (webhooks, account, request) =>
  convert(webhooks.readStatusCallback(account, request), (callback) => ({
    kind: 'status',
    callback,
  }));

const readMessage: Read = (webhooks, account, request) =>
  convert(webhooks.readInbound(account, request), (message) => ({ kind: 'inbound', message }));

/** Reads an event at the status URL, where an owner may also have sent received messages. */
export const readAtStatusUrl: Read = (webhooks, account, request) => {
  const outcome = readStatus(webhooks, account, request);
  if (outcome.kind !== 'ignored') return outcome;
  const other = readMessage(webhooks, account, request);
  return other.kind === 'read' ? other : outcome;
};

/**
 * Reads an event at the inbound URL. A status there is evidence as well: a provider may post it
 * there when the status URL of the message fails. Without our reference, the status belongs to a
 * message that this service has not sent, such as the provider's own reply to STOP.
 */
export const readAtInboundUrl: Read = (webhooks, account, request) => {
  const outcome = readMessage(webhooks, account, request);
  if (outcome.kind !== 'ignored') return outcome;
  const other = readStatus(webhooks, account, request);
  const isOurs =
    other.kind === 'read' &&
    other.content.kind === 'status' &&
    other.content.callback.messageId !== null;
  return isOurs ? other : outcome;
};

function convert<Content>(
  outcome: WebhookOutcome<Content>,
  toEvent: (content: Content) => WebhookEvent,
): WebhookOutcome<WebhookEvent> {
  return outcome.kind === 'read' ? { kind: 'read', content: toEvent(outcome.content) } : outcome;
}
