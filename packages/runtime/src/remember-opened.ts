import type { SecretBox } from './secret-box.ts';

const MOST = 1_000;

/**
 * Opens each sealed text once and remembers what was in it, up to a thousand of them: a busy
 * workspace's token is wanted for every message and every callback. A new token has a new sealed
 * text, so nothing outdated is ever handed out.
 */
export function rememberOpened(secretBox: Pick<SecretBox, 'open'>): Pick<SecretBox, 'open'> {
  const opened = new Map<string, string>();

  return {
    open(sealed, owner) {
      const key = `${owner.workspaceId} ${owner.field} ${sealed}`;
      const known = opened.get(key);
      if (known !== undefined) return known;
      const plaintext = secretBox.open(sealed, owner);
      const [oldest] = opened.keys();
      if (opened.size >= MOST && oldest !== undefined) opened.delete(oldest);
      opened.set(key, plaintext);
      return plaintext;
    },
  };
}
