import type { NewCredentials, ProviderAccount } from '@switchboard/core';
import type { LongText } from '@switchboard/smpp';

import { parseObject } from '../http/parse-object.ts';
import { toLast4 } from '../to-last4.ts';
import { type Credentials, parseCodes } from './credentials-schema.ts';

type Input = Readonly<Record<string, unknown>>;

/**
 * The settings of an account, as the provider gives them to its customer. Stored sealed, as one
 * JSON text.
 */
export interface SmppSettings {
  host: string;
  port: number;
  tls: boolean;
  systemId: string;
  password: string;
  systemType: string;
  bind: NonNullable<Credentials['bind']>;
  /** How many messages may wait for a response on one bind. */
  window: number;
  maxBinds: number;
  longMessages: LongText;
  messageIds: NonNullable<Credentials['message_ids']>;
  /** Further errors after which a message is sent again. */
  throttleCodes: readonly number[];
  /** If null, the kind of the address decides. */
  sourceTon: number | null;
  sourceNpi: number | null;
  destinationTon: number | null;
  destinationNpi: number | null;
}

export function readCredentials(input: Credentials): NewCredentials {
  const settings: SmppSettings = {
    host: input.host,
    port: input.port,
    tls: input.tls,
    systemId: input.system_id,
    password: input.password,
    systemType: input.system_type ?? '',
    bind: input.bind ?? 'transceiver',
    window: input.window ?? 10,
    maxBinds: input.max_binds ?? 1,
    longMessages: input.long_messages ?? 'udh',
    messageIds: input.message_ids ?? 'same',
    throttleCodes: parseCodes(input.throttle_codes ?? ''),
    sourceTon: input.source_ton ?? null,
    sourceNpi: input.source_npi ?? null,
    destinationTon: input.destination_ton ?? null,
    destinationNpi: input.destination_npi ?? null,
  };
  return {
    account: {
      vendorAccountId: toAccountId(settings),
      secret: JSON.stringify(settings),
      senderPool: null,
    },
    secretLast4: toLast4(settings.password),
  };
}

/**
 * Adds the stored password to a change without one. If the server changes, or TLS is switched off,
 * the owner must enter it again: otherwise a change of the host would reveal it.
 */
export function completeCredentials(input: Input, current: ProviderAccount): Input {
  const stored = openSettings(current);
  const { password = null, host, port, system_id: systemId, tls } = input;
  const isSame = stored?.host === host && stored?.port === port && stored?.systemId === systemId;
  const keepsTls = tls === true || stored?.tls === false;
  return password === null && stored !== null && isSame && keepsTls
    ? { ...input, password: stored.password }
    : input;
}

/** Returns what the owner entered, without the password. Empty if the secret is malformed. */
export function describeCredentials(account: ProviderAccount) {
  const settings = openSettings(account);
  if (settings === null) return {};
  return {
    host: settings.host,
    port: settings.port,
    tls: settings.tls,
    system_id: settings.systemId,
    password_last4: toLast4(settings.password),
    system_type: settings.systemType === '' ? null : settings.systemType,
    bind: settings.bind,
    window: settings.window,
    max_binds: settings.maxBinds,
    long_messages: settings.longMessages,
    message_ids: settings.messageIds,
    throttle_codes: formatCodes(settings.throttleCodes),
    source_ton: settings.sourceTon,
    source_npi: settings.sourceNpi,
    destination_ton: settings.destinationTon,
    destination_npi: settings.destinationNpi,
  };
}

/** Reads the stored settings of an account; null if they are malformed. */
export function openSettings({ secret }: Pick<ProviderAccount, 'secret'>): SmppSettings | null {
  const stored = parseObject(secret);
  // The schema has checked every field before it was sealed.
  return typeof stored['host'] === 'string' ? (stored as unknown as SmppSettings) : null;
}

/** Writes the codes as `parseCodes` reads them; null for none. */
function formatCodes(codes: readonly number[]): string | null {
  const texts = codes.map((code) => `0x${code.toString(16).padStart(4, '0')}`);
  return texts.length === 0 ? null : texts.join(', ');
}

function toAccountId({ systemId, host, port }: SmppSettings): string {
  return `${systemId}@${host.includes(':') ? `[${host}]` : host}:${port}`;
}
