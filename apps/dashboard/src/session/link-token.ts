import { useLocation } from '@tanstack/react-router';

/**
 * Returns the token of a link from a mail, or null. It is in the fragment, as that of an invitation, so that no server or proxy
 * logs it.
 */
export const useLinkToken = (): string | null =>
  new URLSearchParams(useLocation({ select: (location) => location.hash })).get('token');
