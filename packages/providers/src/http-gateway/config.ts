import type { MessageStatus, ProviderAccount } from '@switchboard/core';
import type { ValuePath } from './value-path.ts';

/** Parameters of a query, a form or a JSON object. */
export type Parameters = Readonly<Record<string, string | number | boolean>>;

/**
 * The credentials of an HTTP gateway, in the form in which they are stored. Parts that accounts may have been
 * stored without are optional.
 */
export interface GatewayConfig {
  send: {
    method: 'POST' | 'PUT' | 'GET';
    url: string;
    /** Names are in lower case. */
    headers: Readonly<Record<string, string>>;
    body: string | null;
    /** Parameters of texts that are not GSM-7. */
    unless_gsm7?: Parameters | null;
  };
  /** Without `id_path` and `id_after`, our own id identifies the message. */
  accepted: {
    statuses: readonly number[];
    id_path: ValuePath | null;
    /** The text in front of the identifier, with placeholders. */
    id_after?: string | null;
  };
  refused: {
    statuses: readonly number[];
    code_path: ValuePath | null;
    detail_path: ValuePath | null;
    /** A value here makes a response with any status a refusal. */
    path?: ValuePath | null;
    /** The values at `path` that do not. */
    success_values?: readonly string[] | null;
    /** So does a response that begins with one of these texts. */
    starts_with?: readonly string[] | null;
  } | null;
  status_webhook: {
    id_path: ValuePath;
    status_path: ValuePath;
    map: Readonly<Record<string, MessageStatus>>;
    code_path?: ValuePath | null;
    detail_path?: ValuePath | null;
  } | null;
  inbound_webhook: {
    id_path: ValuePath | null;
    /** Together they identify a received message. Without these and `id_path`, the hash of the body does. */
    identity_paths?: readonly ValuePath[] | null;
    from_path: ValuePath;
    to_path: ValuePath | null;
    /** The gateway's number, for webhooks that don't contain it. */
    to: string | null;
    body_path: ValuePath;
    /** Where the kind of the event is, and the kinds that are received messages. */
    event_path?: ValuePath | null;
    events?: readonly string[] | null;
  } | null;
  signing: {
    /** In lower case. */
    header: string;
    secret: string;
    algorithm: 'hmac-sha256';
    /** The header with the time that is signed after the body, in lower case. */
    timestamp_header: string | null;
  } | null;
}

/** Opens the credentials of an account, which `readCredentials` has stored. */
export function openConfig({ secret }: Pick<ProviderAccount, 'secret'>): GatewayConfig {
  return JSON.parse(secret) as GatewayConfig;
}
