import { useLocation } from '@tanstack/react-router';
import { BASE_PATH } from '../base-path.ts';

// Browsers do not send the fragment of a URL, so the token reaches no server, proxy or log.
const HASH_NAME = 'invite';

/** Returns the link to send to the invited person. */
export function inviteLink(token: string): string {
  return `${window.location.origin}${BASE_PATH}/invite#${inviteHash(token)}`;
}

export const inviteHash = (token: string): string => `${HASH_NAME}=${encodeURIComponent(token)}`;

/** Returns the invitation token in the fragment of an address, or null. */
export const readInviteToken = (hash: string): string | null =>
  new URLSearchParams(hash).get(HASH_NAME);

/** Returns the invitation token in the address bar, or null. */
export const useInviteToken = (): string | null =>
  readInviteToken(useLocation({ select: (location) => location.hash }));
