const TYPES: Record<string, string> = {
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  vcf: 'text/vcard',
};

/** A medium's type, told by the ending of its URL: the simulator fetches nothing. */
export function contentTypeOf(url: string): string {
  const ending = /\.([a-z0-9]+)$/i.exec(new URL(url).pathname)?.[1] ?? '';
  return TYPES[ending.toLowerCase()] ?? 'image/jpeg';
}
