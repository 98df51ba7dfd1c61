import {
  ALL_SCOPES,
  AppError,
  KEY_SCOPES,
  formatNetwork,
  parseNetwork,
  startOfNetwork,
} from '@switchboard/core';
import { z } from 'zod';
import { parseInstant } from './dates.ts';
import { overlapSeconds } from './overlap.ts';
import { pageOf } from './page.ts';
import { fieldsOf } from './routes/fields-of.ts';
import { mode } from './mode.ts';
import { nameUpTo, textUpTo } from './text.ts';
import { timestamp } from './timestamp.ts';

const ALLOWED_IPS_MAX = 50;
const NETWORK_MAX_CHARACTERS = 64;
const LIFE_MAX_MS = 100 * 365 * 86_400_000;

const names = fieldsOf(KEY_SCOPES).map(([name]) => name);

/** The scopes in a request. */
const scope = z.enum([ALL_SCOPES, ...names], `must be ${ALL_SCOPES} or one of ${names.join(', ')}`);

const scopes = z
  .array(scope, 'must be a list of scopes')
  .min(1, 'must have at least one scope')
  .max(names.length, `must have at most ${names.length} scopes`)
  .refine((list) => !list.includes(ALL_SCOPES) || list.length === 1, {
    error: `must not have other scopes beside ${ALL_SCOPES}, which includes all`,
  })
  .refine((list) => new Set(list).size === list.length, 'must not name a scope twice')
  .meta({ examples: [['messages:send', 'messages:read']] });

const network = textUpTo(NETWORK_MAX_CHARACTERS).superRefine((text, context) => {
  const found = parseNetwork(text);
  if (found === null) {
    context.addIssue({
      code: 'custom',
      message: 'must be an address or a network such as 203.0.113.0/24 or 2001:db8::/32',
    });
  } else if (startOfNetwork(found).address !== found.address) {
    // It is not clear whether the one address or the whole network is meant.
    const message = `has an address inside the network: use ${formatNetwork(found)} for the whole network`;
    context.addIssue({ code: 'custom', message });
  }
});

const allowedIps = z
  .array(network, 'must be a list of networks')
  .max(ALLOWED_IPS_MAX, `must have at most ${ALLOWED_IPS_MAX} entries`)
  .describe(
    'The addresses and networks (CIDR) from which the key may be used. An empty list counts as absent: any address',
  )
  .meta({ examples: [['203.0.113.0/24', '2001:db8::/32']] });

const expiresAt = textUpTo(64).refine((value) => parseInstant(value)?.hasOffset === true, {
  error: 'must be an ISO 8601 time with an offset, such as 2030-01-31T09:00:00Z',
});

export const createApiKeyRequest = z
  .object({
    name: nameUpTo(100),
    mode: mode
      .optional()
      .describe(
        'With a key of mode `test`, no message reaches a person. Defaults to the mode of the workspace in the path, which is `live` ' +
          'unless it is a test workspace',
      ),
    scopes: scopes
      .optional()
      .describe(
        `What the key may do; defaults to \`["${ALL_SCOPES}"]\`, everything. No route needs \`verify\` or ` +
          '`broadcasts:write` yet: a key with only these may only read the workspace',
      ),
    expires_at: expiresAt
      .optional()
      .describe('A time with an offset, in the future. Without it, the key does not expire'),
    allowed_ips: allowedIps.optional(),
  })
  .meta({ id: 'CreateApiKeyRequest' });

export const rotateApiKeyRequest = z
  .object({
    overlap_seconds: overlapSeconds('How long the secrets before the new one still work'),
    expires_at: expiresAt
      .optional()
      .describe('When the new secret expires, in the future. Without it, the time stays'),
  })
  .meta({ id: 'RotateApiKeyRequest' });

/** @throws AppError `invalid_params` for a time that is not in the future. */
export function parseExpiresAt(value: string | undefined, nowMs: number): Date | null {
  if (value === undefined) return null;
  const ms = parseInstant(value)?.ms ?? Number.NaN;
  if (!(ms > nowMs && ms <= nowMs + LIFE_MAX_MS)) {
    const detail = '`expires_at` must be in the future, at most 100 years ahead';
    throw new AppError('invalid_params', detail);
  }
  return new Date(ms);
}

/** Returns the networks in one notation. */
export function readAllowedIps(given: readonly string[] | undefined): string[] {
  const networks = (given ?? []).map(parseNetwork).filter((found) => found !== null);
  return [...new Set(networks.map(formatNetwork))];
}

const fields = z.object({
  id: z.uuid(),
  name: z.string(),
  mode,
  prefix: z.string().describe('The key’s first characters, to tell keys apart'),
  last4: z.string(),
  scopes: z.array(z.string()).meta({ examples: [['messages:send', 'messages:read']] }),
  allowed_ips: z
    .array(z.string())
    .describe('Networks; empty for any address')
    .meta({ examples: [['203.0.113.0/24']] }),
  expires_at: timestamp.nullable().describe('Null if the key does not expire'),
  previous_ends_at: timestamp
    .nullable()
    .describe('Until when a secret before the last rotation works; null if none does'),
  created_at: timestamp,
});

export const apiKey = fields
  .extend({
    last_used_at: timestamp.nullable().describe('Updated at most once a minute'),
    last_used_ip: z
      .string()
      .nullable()
      .describe('The client’s address at that time')
      .meta({ examples: ['203.0.113.7'] }),
    revoked_at: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' });

export const apiKeyList = pageOf(apiKey).meta({ id: 'ApiKeyList' });

export const createdApiKey = fields
  .extend({ key: z.string().describe('The full key, shown only in this response') })
  .meta({ id: 'CreatedApiKey' });

export type ApiKey = z.infer<typeof apiKey>;
export type CreatedApiKey = z.infer<typeof createdApiKey>;
