import { SIGN_ON_RESULTS } from '@switchboard/contracts';
import { useLocation } from '@tanstack/react-router';

/** Returns what the sign-in at the identity provider has left in the address. */
export function useSignOnResult() {
  const hash = new URLSearchParams(useLocation({ select: (location) => location.hash }));
  return {
    isFinished: hash.get('sso') === SIGN_ON_RESULTS.finish,
    isConnected: hash.get('sso') === SIGN_ON_RESULTS.connected,
    errorCode: hash.get('sso_error'),
  };
}
