import { type SecretBox, idOf } from './secret-box.ts';

const MAX_REMEMBERED = 1_000;

/**
 * Opens each sealed text once and caches the result, because a busy workspace's token is used for
 * every message and every callback. A new token has a new sealed text, so the cache is never stale.
 */
export function rememberOpened(secretBox: Pick<SecretBox, 'open'>): Pick<SecretBox, 'open'> {
  const opened = new Map<string, string>();

  return {
    open(sealed, owner) {
      const key = `${idOf(owner)} ${owner.field} ${sealed}`;
      const known = opened.get(key);
      if (known !== undefined) return known;
      const plaintext = secretBox.open(sealed, owner);
      const [oldest] = opened.keys();
      if (opened.size >= MAX_REMEMBERED && oldest !== undefined) opened.delete(oldest);
      opened.set(key, plaintext);
      return plaintext;
    },
  };
}
