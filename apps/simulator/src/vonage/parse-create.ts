import { refusalOfFrom, refusalOfTo } from '../messages/magic-numbers.ts';
import { isPhoneNumber } from '../phone-number.ts';
import { MAGIC_REFUSALS, type VonageErrorCode } from './vonage-error.ts';

interface Fields {
  to: string;
  from: string;
  body: string;
  mediaUrls: string[];
  statusCallback: string;
  /** The sender's own reference, which every status webhook contains. */
  reference: string;
}

interface ParsedCreate {
  fields: Fields;
  refusal: { code: VonageErrorCode; detail?: string } | null;
}

const MEDIA_TYPES = ['image', 'audio', 'video', 'vcard', 'file'];

/** Validates a new message as Vonage does. */
export function parseCreate(input: unknown): ParsedCreate {
  const body = toFields(input);
  const type = textOf(body['message_type']);
  const single = MEDIA_TYPES.includes(type) ? [body[type]] : [];
  const items = Array.isArray(body['content']) ? body['content'] : single;
  const media = items.map(toFields);
  const fields = {
    to: withPlus(textOf(body['to'])),
    from: withPlus(textOf(body['from'])),
    body: textOf(body['text']) || (media.map(({ caption }) => textOf(caption)).find(Boolean) ?? ''),
    mediaUrls: media.map(({ url }) => textOf(url)),
    statusCallback: textOf(body['webhook_url']),
    reference: textOf(body['client_ref']),
  };
  return { fields, refusal: findRefusal(fields, textOf(body['channel'])) };
}

function findRefusal(fields: Fields, channel: string): ParsedCreate['refusal'] {
  const { to, from, body, mediaUrls, reference } = fields;
  if (to === '' || from === '') return { code: '1010', detail: '`to` and `from` are required.' };
  if (channel !== 'sms' && channel !== 'mms')
    return { code: '1020', detail: '`channel` must be sms or mms.' };
  if (!isPhoneNumber(to)) return { code: '1170' };
  if (body === '' && mediaUrls.length === 0) return { code: '1010', detail: '`text` is required.' };
  if (reference.length > 100) return { code: '1020', detail: '`client_ref` is too long.' };
  const magic = refusalOfFrom(from, true) ?? refusalOfTo(to);
  return magic === null ? null : { code: MAGIC_REFUSALS[magic] ?? '1020' };
}

function withPlus(address: string): string {
  return /^[1-9]\d{6,14}$/.test(address) ? `+${address}` : address;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function toFields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
