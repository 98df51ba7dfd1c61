/** A message as `GET /simulator/events` sends it. */
export interface PhoneMessage {
  sid: string;
  provider: Provider;
  direction: 'outbound-api' | 'outbound-reply' | 'inbound';
  to: string;
  from: string | null;
  body: string;
  num_media: number;
  /** Null for an MMS. */
  encoding: string | null;
  segments: number | null;
  status: string;
  error_code: number | null;
  error_message: string | null;
  treatment: TreatmentName;
  /** Null for a message of the service. */
  delivery: 'sending' | 'delivered' | 'failed' | null;
  created_at: string;
}

type Provider = 'twilio' | 'telnyx' | 'vonage' | 'smpp' | 'http';

export type TreatmentName = 'delivered' | 'undelivered' | 'slow' | 'receipt_lost';

export interface Treatment {
  treatment: TreatmentName;
  error_code: number | null;
}

interface Phone extends Treatment {
  reasons: { error_code: number; error_message: string }[];
}

/** A number of the service. */
export interface ServiceNumber {
  number: string;
  provider: Provider;
  receives: boolean;
  max_pictures: number;
}

export const PROVIDER_NAMES: Record<Provider, string> = {
  twilio: 'Twilio',
  telnyx: 'Telnyx',
  vonage: 'Vonage',
  smpp: 'SMPP',
  http: 'HTTP gateway',
};

const E164 = /^\+[1-9]\d{6,14}$/;
const SEPARATORS = /[\s().\-\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Returns the number in E.164, or null if it is not one. */
export function parseNumber(text: string): string | null {
  const number = text.replace(SEPARATORS, '');
  return E164.test(number) ? number : null;
}

export const readPhone = (number: string) =>
  call<Phone>(`phones/${encodeURIComponent(number)}`, {});

export const setTreatment = (number: string, treatment: Treatment) =>
  call(`phones/${encodeURIComponent(number)}`, { method: 'PUT', ...json(treatment) });

export const listNumbers = () => call<ServiceNumber[]>('numbers', {});

export const mediaUrl = (sid: string, index: number): string =>
  `simulator/messages/${encodeURIComponent(sid)}/media/${index}`;

const MAX_PICTURE_BYTES = 1_000_000;

/** Sends a message from a phone to the service. Throws an `Error` for people. */
export async function sendFromPhone(message: {
  to: string;
  from: string;
  body: string;
  pictures: readonly File[];
}): Promise<void> {
  const { pictures, ...text } = message;
  const mediaUrls: string[] = [];
  for (const file of pictures) {
    if (file.size > MAX_PICTURE_BYTES) {
      throw new Error(`“${file.name}” is larger than 1 MB. Choose a smaller picture.`);
    }
    const headers = { 'content-type': file.type };
    const { url } = await call<{ url: string }>('media', { method: 'POST', headers, body: file });
    mediaUrls.push(url);
  }
  await call('inbound', { method: 'POST', ...json({ ...text, media_urls: mediaUrls }) });
}

/** Returns the text of a failure for people. */
export const describeError = (cause: unknown): string =>
  cause instanceof Error ? cause.message : String(cause);

function json(content: unknown): RequestInit {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(content) };
}

async function call<Body>(path: string, options: RequestInit): Promise<Body> {
  const response = await fetch(`simulator/${path}`, options).catch(() => {
    throw new Error('The carrier simulator did not respond. Is it running?');
  });
  const body = (await response.json()) as Body & { detail?: string };
  if (!response.ok) throw new Error(body.detail ?? `The simulator responded ${response.status}.`);
  return body;
}
