import { useQuery } from '@tanstack/react-query';
import { type RefObject, useRef, useState } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { queryKeys } from '../../api/query-keys.ts';
import { useContactChange } from '../use-contacts.ts';
import type { ColumnUse } from './columns/column.ts';
import type { NumberRules } from './plan/read-number.ts';
import { type ImportProgress, sendImport } from './send-import.ts';
import type { PlanSummary } from './worker/create-importer.ts';
import type { WorkerImporter } from './worker/start-importer.ts';

export interface ImportSource {
  workspaceId: string;
  importer: WorkerImporter;
  /** The import that runs now. The importer stops only after it. */
  running: RefObject<Promise<unknown>>;
  uses: readonly ColumnUse[];
}

const NOTHING_SENT: ImportProgress = { sent: 0, isWaiting: false };

/** Plans an import, checks with the server what it would do, and runs it. */
export function useImportRun(
  source: ImportSource,
  { existing, rules }: { existing: 'keep' | 'update'; rules: NumberRules },
) {
  const { workspaceId, importer, uses } = source;
  const api = useApi();
  const [planned, setPlanned] = useState(0);
  const [progress, setProgress] = useState(NOTHING_SENT);
  const stop = useRef(new AbortController());
  const key = [...queryKeys.workspace(workspaceId), 'import'];
  // The next import has other contacts, and only the worker knows when they change.
  const once = { gcTime: 0, staleTime: Infinity, retry: false } as const;

  const plan = useQuery({
    ...once,
    queryKey: [...key, 'plan', uses, rules],
    queryFn: () => importer.plan(uses, rules, setPlanned),
  });
  const send = (summary: PlanSummary, isDryRun: boolean, signal: AbortSignal) => {
    setProgress(NOTHING_SENT);
    const onProgress = (next: ImportProgress): void => {
      if (!signal.aborted) setProgress(next);
    };
    return sendImport(
      (contacts) =>
        api.request('POST /api/ui/workspaces/{workspaceId}/contacts/import', {
          params: { workspaceId },
          body: { contacts, existing, dry_run: isDryRun },
        }),
      readBatches(importer, summary),
      { signal, onProgress },
    );
  };
  const preview = useQuery({
    ...once,
    queryKey: [...key, 'preview', existing, rules],
    enabled: plan.data != null,
    queryFn: ({ signal }) => send(plan.data as PlanSummary, true, signal),
  });
  const run = useContactChange(workspaceId, (_api, summary: PlanSummary) => {
    stop.current = new AbortController();
    const result = send(summary, false, stop.current.signal);
    source.running.current = result.catch(() => undefined);
    return result;
  });
  return { plan, planned, preview, run, progress, stop: () => stop.current.abort() };
}

async function* readBatches(importer: WorkerImporter, { batches }: PlanSummary) {
  for (let index = 0; index < batches; index += 1) yield await importer.batch(index);
}
