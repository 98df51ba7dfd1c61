const TYPES: Record<string, string> = {
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  vcf: 'text/vcard',
};

/** Returns the media type by the file extension: the simulator does not fetch the URL. */
export function contentTypeOf(url: string): string {
  const ending = /\.([a-z0-9]+)$/i.exec(new URL(url).pathname)?.[1] ?? '';
  return TYPES[ending.toLowerCase()] ?? 'image/jpeg';
}
