import { useLocation } from '@tanstack/react-router';

// The fragment of an address never leaves the browser: no server, proxy or log sees the token.
const HASH_NAME = 'invite';

/** The address to send to the person who is invited. */
export function inviteLink(token: string): string {
  return `${window.location.origin}/invite#${inviteHash(token)}`;
}

export const inviteHash = (token: string): string => `${HASH_NAME}=${encodeURIComponent(token)}`;

/** The invitation that the address bar holds; null when there is none. */
export function useInviteToken(): string | null {
  const hash = useLocation({ select: (location) => location.hash });
  return new URLSearchParams(hash).get(HASH_NAME);
}
