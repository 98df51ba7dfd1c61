/**
 * The types of files that may be uploaded, with the extension of each: those that carriers deliver as MMS.
 * None of them can contain scripts that a browser runs, except for documents, which are saved and not shown.
 */
export const MEDIA_TYPES: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/heic': 'heic',
  'image/bmp': 'bmp',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'video/3gpp': '3gp',
  'video/3gpp2': '3g2',
  'video/mp4': 'mp4',
  'video/mpeg': 'mpeg',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'application/pdf': 'pdf',
  'text/vcard': 'vcf',
};

const TYPES_BY_EXTENSION: ReadonlyMap<string, string> = new Map([
  ...Object.entries(MEDIA_TYPES).map(([type, extension]) => [extension, type] as const),
  ['jpeg', 'image/jpeg'],
  ['jpe', 'image/jpeg'],
  ['tif', 'image/tiff'],
  ['tiff', 'image/tiff'],
  ['heif', 'image/heif'],
  ['oga', 'audio/ogg'],
  ['opus', 'audio/ogg'],
  ['m4v', 'video/mp4'],
  ['mpg', 'video/mpeg'],
  ['ics', 'text/calendar'],
  ['txt', 'text/plain'],
]);

/** Returns the type of a file by the extension of its name; null if the extension is absent or unknown. */
export function findTypeOfName(name: string): string | null {
  const extension = /\.([a-z0-9]{1,10})$/i.exec(name)?.[1] ?? '';
  return TYPES_BY_EXTENSION.get(extension.toLowerCase()) ?? null;
}

/** The types in words, for errors and documentation. */
export const MEDIA_TYPES_IN_WORDS =
  'a picture (JPEG, PNG, GIF, WebP, HEIC, BMP), a sound (MP3, M4A, AAC, AMR, Ogg, WAV), ' +
  'a video (MP4, MOV, 3GP, MPEG, WebM), a PDF or a vCard';

/** Carriers do not deliver larger messages with media. */
export const MEDIA_MAX_BYTES = 5 * 1024 * 1024;

/** The limit in words, for errors. */
export const MEDIA_MAX_IN_WORDS = '5 MB';
