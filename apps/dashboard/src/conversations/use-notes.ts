import type { Note, PageAnswer } from '@switchboard/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { queryKeys } from '../api/query-keys.ts';
import { LIVE_QUERY } from '../live/live-query.ts';
import { useInboxFrame } from '../live/live-context.tsx';

const NOTES = '/api/ui/workspaces/{workspaceId}/conversations/{number}/notes';
/** The latest notes, which a thread shows. */
const SHOWN = 100;

/** Queries the notes about a conversation, and adds notes. */
export function useNotes(workspaceId: string, number: string) {
  const api = useApi();
  const client = useQueryClient();
  const queryKey = queryKeys.notes(workspaceId, number);
  const { data } = useQuery({
    queryKey,
    queryFn: () =>
      api.request(`GET ${NOTES}`, { params: { workspaceId, number }, query: { limit: SHOWN } }),
    retry: false,
    ...LIVE_QUERY,
  });
  const put = (note: Note): void =>
    void client.setQueryData<PageAnswer<Note>>(queryKey, (list) =>
      list === undefined || list.data.some(({ id }) => id === note.id)
        ? list
        : { ...list, data: [note, ...list.data] },
    );
  useInboxFrame((frame) => {
    if (frame.type === 'note.created' && frame.note.number === number) put(frame.note);
  });
  const add = useMutation({
    mutationFn: (body: { body: string; mentions: string[] }) =>
      api.request(`POST ${NOTES}`, { params: { workspaceId, number }, body }),
    onSuccess: (note) => {
      put(note);
      if (data === undefined) void client.invalidateQueries({ queryKey });
    },
  });
  return { notes: data?.data ?? [], add };
}
