import type { MessageStatus, ProviderAccount } from '@switchboard/core';

/** The credentials of an HTTP gateway, in the form in which they are stored. */
export interface GatewayConfig {
  send: {
    method: 'POST' | 'PUT' | 'GET';
    url: string;
    /** Names are in lower case. */
    headers: Readonly<Record<string, string>>;
    body: string | null;
  };
  /** If `id_path` is absent, our own id identifies the message. */
  accepted: { statuses: readonly number[]; id_path: string | null };
  refused: {
    statuses: readonly number[];
    code_path: string | null;
    detail_path: string | null;
  } | null;
  status_webhook: {
    id_path: string;
    status_path: string;
    map: Readonly<Record<string, MessageStatus>>;
  } | null;
  inbound_webhook: {
    /** If it is absent, the hash of the body identifies a received message. */
    id_path: string | null;
    from_path: string;
    to_path: string | null;
    /** The gateway's number, for webhooks that don't contain it. */
    to: string | null;
    body_path: string;
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
