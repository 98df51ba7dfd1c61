import type { Note, NoteRequest, PageResponse } from '@switchboard/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { UNSENT } from '../ui/use-unsent-warning.ts';
import { queryKeys } from '../api/query-keys.ts';
import { LIVE_QUERY } from '../live/live-query.ts';
import { useInboxFrame } from '../live/live-context.tsx';

const NOTES = '/api/ui/workspaces/{workspaceId}/conversations/{number}/notes';
/** How many of the latest notes a thread shows. */
const SHOWN = 100;

/** Queries the notes about a conversation, and adds, edits and removes notes. */
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
    void client.setQueryData<PageResponse<Note>>(queryKey, (list) => list && putNote(list, note));
  useInboxFrame((frame) => {
    if ('note' in frame && frame.note.number === number) put(frame.note);
  });
  const add = useMutation({
    mutationKey: UNSENT,
    mutationFn: (body: NoteRequest) =>
      api.request(`POST ${NOTES}`, { params: { workspaceId, number }, body }),
    onSuccess: (note) => {
      put(note);
      if (data === undefined) void client.invalidateQueries({ queryKey });
    },
  });
  const edit = (noteId: string, body: NoteRequest): Promise<void> =>
    api
      .request(`PATCH ${NOTES}/{noteId}`, { params: { workspaceId, number, noteId }, body })
      .then(put);
  const remove = (noteId: string): Promise<void> =>
    api.request(`DELETE ${NOTES}/{noteId}`, { params: { workspaceId, number, noteId } }).then(put);
  async function loadAllNotes(): Promise<void> {
    for (let page = 2; ; page += 1) {
      const list = client.getQueryData<PageResponse<Note>>(queryKey);
      if (list === undefined || list.data.length >= list.pagination.totalItems) return;
      const older = await api.request(`GET ${NOTES}`, {
        params: { workspaceId, number },
        query: { limit: SHOWN, page },
      });
      client.setQueryData<PageResponse<Note>>(queryKey, (known) => {
        if (known === undefined) return known;
        const ids = new Set(known.data.map(({ id }) => id));
        return { ...known, data: [...known.data, ...older.data.filter(({ id }) => !ids.has(id))] };
      });
      if (!older.pagination.hasNext) return;
    }
  }
  return {
    notes: data?.data ?? [],
    hasOlderNotes: data !== undefined && data.data.length < data.pagination.totalItems,
    loadAllNotes,
    add,
    edit,
    remove,
  };
}

/** Adds a new note, or replaces an older version of it. Responses and frames arrive in any order. */
function putNote(list: PageResponse<Note>, note: Note): PageResponse<Note> {
  const index = list.data.findIndex(({ id }) => id === note.id);
  const known = list.data[index];
  if (known === undefined) return { ...list, data: [note, ...list.data] };
  return isNewer(note, known) ? { ...list, data: list.data.with(index, note) } : list;
}

/** A removed note never comes back. */
function isNewer(note: Note, known: Note): boolean {
  if (known.removed_at !== null) return false;
  return note.removed_at !== null || (note.edited_at ?? '') > (known.edited_at ?? '');
}
