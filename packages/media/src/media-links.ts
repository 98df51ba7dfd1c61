import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { MEDIA_TYPES } from '@switchboard/core';

/**
 * Providers may queue a message for ten hours before they send it and fetch its media. A link to a file
 * that is being sent lasts longer than that.
 */
const LIFETIME_MS = 12 * 3_600_000;

export interface MediaLinks {
  /** Returns a URL at which anyone can read the file until it expires. */
  sign(mediaId: string, contentType: string | null, nowMs: number): string;
  /** Returns whether this service signed the link, and it has not expired. */
  verify(link: { mediaId: string; expires: string; signature: string }, nowMs: number): boolean;
}

/**
 * Creates links to uploaded files, signed with HMAC-SHA256. `keys` are the keys of `SECRET_KEY`. A link has a
 * signature with each of them, and one valid signature is enough, so that links stay valid while
 * keys are rotated and processes have different ones.
 */
export function createMediaLinks({
  publicUrl,
  keys,
}: {
  publicUrl: string;
  keys: readonly Buffer[];
}): MediaLinks {
  // The keys themselves only encrypt.
  const linkKeys = keys.map((key) =>
    Buffer.from(hkdfSync('sha256', key, '', 'switchboard media links', 32)),
  );
  const signWith = (key: Buffer, mediaId: string, expires: string): Buffer =>
    createHmac('sha256', key).update(`${mediaId}.${expires}`).digest();

  return {
    sign(mediaId, contentType, nowMs) {
      const expires = String(Math.ceil((nowMs + LIFETIME_MS) / 1_000));
      const signatures = linkKeys.map((key) =>
        signWith(key, mediaId, expires).toString('base64url'),
      );
      // Some providers take the type of a file from the extension in its URL.
      const extension = MEDIA_TYPES[contentType ?? ''];
      const name = extension === undefined ? 'media' : `media.${extension}`;
      const query = `expires=${expires}&signature=${signatures.join('.')}`;
      return `${publicUrl}/api/media-links/${mediaId}/${name}?${query}`;
    },

    verify({ mediaId, expires, signature }, nowMs) {
      if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1_000 <= nowMs) return false;
      const given = signature.split('.').map((part) => Buffer.from(part, 'base64url'));
      return linkKeys.some((key) => {
        const right = signWith(key, mediaId, expires);
        return given.some((one) => one.length === right.length && timingSafeEqual(one, right));
      });
    },
  };
}
