import { isPhoneNumber } from '../phone-number.ts';
import { refusalOfFrom, refusalOfTo } from '../messages/magic-numbers.ts';
import { MAGIC_REFUSALS, type TelnyxErrorCode } from './telnyx-error.ts';

interface Fields {
  to: string;
  /** Null if the messaging profile selects the sender. */
  from: string | null;
  body: string;
  mediaUrls: string[];
  statusCallback: string;
}

interface ParsedCreate {
  fields: Fields;
  refusal: { code: TelnyxErrorCode; detail?: string } | null;
}

/** Validates a new message as Telnyx does. */
export function parseCreate(input: unknown): ParsedCreate {
  const body = (typeof input === 'object' && input !== null ? input : {}) as Record<
    string,
    unknown
  >;
  const { media_urls: media = [], messaging_profile_id: profile } = body;
  const fields = {
    to: textOf(body['to']),
    from: textOf(body['from']) || null,
    body: textOf(body['text']),
    mediaUrls: Array.isArray(media) ? media.map(textOf) : [],
    statusCallback: textOf(body['webhook_url']),
  };
  return { fields, refusal: findRefusal(fields, profile) };
}

function findRefusal(fields: Fields, profile: unknown): ParsedCreate['refusal'] {
  const { to, from, body, mediaUrls } = fields;
  if (to === '') return { code: '10004', detail: "The 'to' parameter is required." };
  if (!isPhoneNumber(to)) return { code: '40310' };
  if (from === null && typeof profile !== 'string') {
    return { code: '10004', detail: "The 'from' or 'messaging_profile_id' parameter is required." };
  }
  if (body === '' && mediaUrls.length === 0) return { code: '40316' };
  // The magic senders have no owner at Telnyx.
  const magic = (from === null ? null : refusalOfFrom(from, true)) ?? refusalOfTo(to);
  return magic === null ? null : { code: MAGIC_REFUSALS[magic] ?? '10015' };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
