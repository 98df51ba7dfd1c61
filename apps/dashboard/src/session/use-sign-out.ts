import { useDependencies } from '../api/api-context.tsx';

/** Returns a function that signs the user out, in every tab of the browser. */
export function useSignOut(): () => void {
  const { api, session, drafts } = useDependencies();
  return () => {
    // Sign out here even if the request fails: the server ends idle sessions on its own.
    const end = (): void => {
      drafts.clear();
      session.endEverywhere();
    };
    api.request('DELETE /api/ui/sessions/current').then(end, end);
  };
}
