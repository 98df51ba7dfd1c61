import { AppError, type NewCredentials, type ProviderAccount } from '@switchboard/core';
import type { LongText } from '@switchboard/smpp';

import { parseObject } from '../http/parse-object.ts';
import { readOptionalCredential, requireCredential, toLast4 } from '../http/read-credential.ts';
import { formatCodes, readCodes } from './throttle-codes.ts';
import {
  type Input,
  type NumberLimits,
  readChoice,
  readNumber,
  requireFlag,
  requireNumber,
} from './read-typed-credential.ts';

const BIND_MODES = ['transceiver', 'transmitter_receiver'] as const;
const LONG_MESSAGES = ['udh', 'payload'] as const satisfies readonly LongText[];
const MESSAGE_IDS = ['same', 'decimal', 'hex_in_response', 'hex_in_receipt'] as const;

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
  bind: (typeof BIND_MODES)[number];
  /** How many messages may wait for a response on one bind. */
  window: number;
  maxBinds: number;
  longMessages: LongText;
  messageIds: (typeof MESSAGE_IDS)[number];
  /** Further errors after which a message is sent again. */
  throttleCodes: readonly number[];
  /** If null, the kind of the address decides. */
  sourceTon: number | null;
  sourceNpi: number | null;
  destinationTon: number | null;
  destinationNpi: number | null;
}

const PORT: NumberLimits = { min: 1, max: 65_535 };
const WINDOW: NumberLimits = { min: 1, max: 500 };
const MAX_BINDS: NumberLimits = { min: 1, max: 10 };
/** Section 5.2.5 defines 0 to 6; section 5.2.6 defines 0 to 18. */
const TON: NumberLimits = { min: 0, max: 6 };
const NPI: NumberLimits = { min: 0, max: 18 };

/** A host name or an IP address. */
const HOST = /^[\p{L}\p{N}]([\p{L}\p{N}._:-]{0,252}[\p{L}\p{N}])?$|^::1?$/u;

/**
 * Parses `{ host, port, tls, system_id, password, system_type?, bind?, window?, … }`.
 *
 * @throws AppError `missing_params` or `invalid_params`, naming the parameter
 */
export function readCredentials(input: Input): NewCredentials {
  const host = requireCredential(input, 'host').toLowerCase();
  if (!HOST.test(host)) {
    throw new AppError('invalid_params', '`host` must be a host name or an IP address');
  }
  const settings: SmppSettings = {
    host,
    port: requireNumber(input, 'port', PORT),
    tls: requireFlag(input, 'tls'),
    systemId: requireText(input, 'system_id', 15),
    password: requireText(input, 'password', 32),
    systemType: readOptionalCredential(input, 'system_type') ?? '',
    bind: readChoice(input, 'bind', BIND_MODES) ?? 'transceiver',
    window: readNumber(input, 'window', WINDOW) ?? 10,
    maxBinds: readNumber(input, 'max_binds', MAX_BINDS) ?? 1,
    longMessages: readChoice(input, 'long_messages', LONG_MESSAGES) ?? 'udh',
    messageIds: readChoice(input, 'message_ids', MESSAGE_IDS) ?? 'same',
    throttleCodes: readCodes(input, 'throttle_codes'),
    sourceTon: readNumber(input, 'source_ton', TON),
    sourceNpi: readNumber(input, 'source_npi', NPI),
    destinationTon: readNumber(input, 'destination_ton', TON),
    destinationNpi: readNumber(input, 'destination_npi', NPI),
  };
  if (!isText(settings.systemType, 12)) throw tooLong('system_type', 12);
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
  // `readCredentials` has checked every field before it was sealed.
  return typeof stored['host'] === 'string' ? (stored as unknown as SmppSettings) : null;
}

function toAccountId({ systemId, host, port }: SmppSettings): string {
  return `${systemId}@${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function requireText(input: Input, name: string, maxLength: number): string {
  const value = requireCredential(input, name);
  if (!isText(value, maxLength)) throw tooLong(name, maxLength);
  return value;
}

function isText(value: string, maxLength: number): boolean {
  return value.length <= maxLength && /^[\x20-\x7e]*$/.test(value);
}

function tooLong(name: string, maxLength: number): AppError {
  const detail = `\`${name}\` must have at most ${maxLength} printable ASCII characters`;
  return new AppError('invalid_params', detail);
}
