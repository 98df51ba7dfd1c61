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

/** The types in words, for errors and documentation. */
export const MEDIA_TYPES_IN_WORDS =
  'a picture (JPEG, PNG, GIF, WebP, HEIC, BMP), a sound (MP3, M4A, AAC, AMR, Ogg, WAV), ' +
  'a video (MP4, MOV, 3GP, MPEG, WebM), a PDF or a vCard';

/** Carriers do not deliver larger messages with media. */
export const MEDIA_MAX_BYTES = 5 * 1024 * 1024;

/** The limit in words, for errors. */
export const MEDIA_MAX_IN_WORDS = '5 MB';
