import type { WebhookEvent } from './route-types.ts';

export interface WebhookRequest {
  /** The headers of the request, as `Headers` or in Node's format. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body as it was received, before any parsing. */
  body: string;
}

export interface VerifyWebhookOptions {
  /** The secret of the endpoint (`whsec_…`), or several during a rotation. */
  secret: string | readonly string[];
  /** How far the time of the request may be from now; defaults to five minutes. */
  toleranceSeconds?: number;
}

export interface VerifiedWebhook {
  /** The `webhook-id`: the same in every attempt to deliver the event. */
  id: string;
  event: WebhookEvent;
}

/** The request is not from the service. Respond with 400 or 401, and ignore the request. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

const DEFAULT_TOLERANCE_SECONDS = 300;

/**
 * Verifies the signature and the time of a workspace webhook, and returns its event.
 *
 * @throws WebhookVerificationError
 * @example
 * const { id, event } = await verifyWebhook({ headers: request.headers, body }, { secret });
 * if (event.type === 'message.received') console.log(id, event.sequence, event.data.body);
 */
export async function verifyWebhook(
  { headers, body }: WebhookRequest,
  { secret, toleranceSeconds = DEFAULT_TOLERANCE_SECONDS }: VerifyWebhookOptions,
): Promise<VerifiedWebhook> {
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signatures = readHeader(headers, 'webhook-signature').split(' ');
  const offSeconds = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || offSeconds > toleranceSeconds) {
    throw new WebhookVerificationError(
      `\`webhook-timestamp\` is more than ${toleranceSeconds} seconds from now`,
    );
  }
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const given = signatures.flatMap((entry) => (entry.startsWith('v1,') ? [entry.slice(3)] : []));
  for (const one of secrets) {
    const key = await importKey(one);
    for (const signature of given) {
      // `verify` compares in constant time.
      const isValid = await crypto.subtle.verify('HMAC', key, fromBase64(signature), signed);
      if (isValid) return { id, event: JSON.parse(body) as WebhookEvent };
    }
  }
  throw new WebhookVerificationError('`webhook-signature` does not match the secret');
}

function readHeader(headers: WebhookRequest['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== 'string' || value === '') {
    throw new WebhookVerificationError(`The header \`${name}\` is missing`);
  }
  return value;
}

function importKey(secret: string) {
  const key = fromBase64(secret.replace(/^whsec_/, ''));
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Returns an empty array if the text is not base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
