const TYPES: Record<string, string> = {
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  vcf: 'text/vcard',
};

/** Derives the media type from the file extension, because the simulator does not fetch the URL. */
export function contentTypeOf(url: string): string {
  const ending = /\.([a-z0-9]+)$/i.exec(new URL(url).pathname)?.[1] ?? '';
  return TYPES[ending.toLowerCase()] ?? 'image/jpeg';
}
