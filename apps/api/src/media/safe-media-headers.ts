/** Types that browsers may show: images, sound and video that cannot contain scripts. */
const SHOWN = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/heic',
  'image/bmp',
  'audio/amr',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'audio/3gpp',
  'video/mp4',
  'video/mpeg',
  'video/webm',
  'video/quicktime',
  'video/3gpp',
]);

/** Returns headers that keep a browser from showing an untrusted file as a page of our origin. */
export function safeMediaHeaders(contentType: string | null): Record<string, string> {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  const isShown = SHOWN.has(type);
  return {
    'content-type': isShown ? type : 'application/octet-stream',
    'content-disposition': isShown ? 'inline' : 'attachment',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-store',
  };
}
