import { useMutation } from '@tanstack/react-query';
import { useDependencies } from '../api/api-context.tsx';

/** Signs the user out, in every tab of the browser. */
export function useSignOut(): { signOut(): void; isPending: boolean } {
  const { api, session } = useDependencies();
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.request('DELETE /api/ui/sessions/current'),
    // Sign out here even if the request fails: the server ends idle sessions on its own.
    onSettled: () => session.endEverywhere(),
  });
  return { signOut: () => mutate(), isPending };
}
