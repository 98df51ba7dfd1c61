import { type InboundMessage, UNREADABLE_MEDIA, findTypeOfName } from '@switchboard/core';

/** A file of a received message, in the fields of the vendor. None of them is certain. */
export interface ReportedMedia {
  url: unknown;
  contentType?: unknown;
  /** The vendor's word for the kind of file, for example `image`. */
  kind?: unknown;
  name?: unknown;
}

type ReceivedMedia = InboundMessage['media'][number];

/** More than phones send: networks limit a message to a few megabytes. Further ones are dropped. */
export const MAX_RECEIVED_MEDIA = 50;
const LONGEST_URL = 2_048;
const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;
const ANY_TYPE = 'application/octet-stream';

/** The usual type of each kind of file that vendors name. */
const TYPES_BY_KIND: ReadonlyMap<string, string> = new Map([
  ['image', 'image/jpeg'],
  ['sticker', 'image/webp'],
  ['audio', 'audio/mpeg'],
  ['video', 'video/mp4'],
  ['vcard', 'text/vcard'],
  ['file', ANY_TYPE],
]);

/** Returns whether a word names a kind of file. */
export function isMediaKind(word: unknown): word is string {
  return typeof word === 'string' && TYPES_BY_KIND.has(word);
}

/**
 * Reads the files of a received message, at most 50. A file without a usable URL stays in the list as
 * unreadable, because it must refuse neither the text nor the other files.
 */
export function readMediaList(items: readonly ReportedMedia[]): ReceivedMedia[] {
  return items.slice(0, MAX_RECEIVED_MEDIA).map((item) => {
    const url = readUrl(item.url);
    return { url: url?.href ?? UNREADABLE_MEDIA, content_type: readType(item, url) };
  });
}

function readUrl(value: unknown): URL | null {
  if (typeof value !== 'string' || !URL.canParse(value)) return null;
  const url = new URL(value);
  const isUsable = /^https?:$/.test(url.protocol) && url.href.length <= LONGEST_URL;
  return isUsable ? url : null;
}

/** Determines the type of a file: as the vendor states it, by the extension of its name, or by its kind. */
function readType({ contentType, kind, name }: ReportedMedia, url: URL | null): string {
  const stated = cutParameters(contentType);
  if (stated !== null && stated !== ANY_TYPE) return stated;
  const named = findTypeIn(name) ?? findTypeIn(url?.pathname);
  // Some vendors write only the kind, such as `image`, in the field of the type.
  const usual = TYPES_BY_KIND.get(String(kind ?? contentType));
  if (usual === undefined || usual === ANY_TYPE) return named ?? ANY_TYPE;
  return named === null ? usual : agree(usual, named);
}

/**
 * Prefers the type of the name if it is of the kind that the vendor states. Sounds and videos share
 * containers and extensions, so the kind decides between the two.
 */
function agree(usual: string, named: string): string {
  const [family, subtype] = named.split('/');
  const [kind] = usual.split('/');
  if (family === kind) return named;
  const isRecording = (word: string | undefined) => word === 'audio' || word === 'video';
  return isRecording(kind) && isRecording(family) ? `${kind}/${subtype}` : usual;
}

function findTypeIn(name: unknown): string | null {
  return typeof name === 'string' ? findTypeOfName(name) : null;
}

/** Returns a well-formed media type in lower case without its parameters, otherwise null. */
function cutParameters(value: unknown): string | null {
  const [type = ''] = typeof value === 'string' ? value.split(/[;,]/, 1) : [];
  const trimmed = type.trim().toLowerCase();
  return MEDIA_TYPE.test(trimmed) ? trimmed : null;
}
