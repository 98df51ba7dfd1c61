import { CONTACT_LIMITS, type ImportRefusal } from '@switchboard/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { queryKeys } from '../../api/query-keys.ts';
import { Button } from '../../ui/button.tsx';
import { plural } from '../../ui/format.ts';
import { FailureNotice, Notice } from '../../ui/notice.tsx';
import { useContactChange } from '../use-contacts.ts';
import { type ColumnUse, type ImportPlan, type SkippedRow, planImport } from './plan-import.ts';
import { type ImportCounts, type ImportOutcome, sendImport } from './send-import.ts';

const SHOWN_SKIPPED = 100;

/** Shows what an import would do and which rows it skips, and imports. */
export function ImportPreview(props: {
  workspaceId: string;
  rows: readonly string[][];
  uses: readonly ColumnUse[];
  onBack(): void;
  onClose(): void;
}) {
  const { workspaceId } = props;
  const api = useApi();
  const [plan] = useState(() => planImport(props.rows, props.uses));
  const [existing, setExisting] = useState<'keep' | 'update'>('update');
  const [sent, setSent] = useState(0);
  const preview = useQuery({
    queryKey: [...queryKeys.workspace(workspaceId), 'import-preview', existing],
    queryFn: () => sendImport(api, workspaceId, plan.contacts, { existing, isDryRun: true }),
    // The next import has different contacts.
    gcTime: 0,
  });
  const run = useContactChange(workspaceId, (_api, contacts: ImportPlan['contacts']) =>
    sendImport(api, workspaceId, contacts, { existing, isDryRun: false, onProgress: setSent }),
  );
  const outcome = run.data ?? preview.data;
  const refused = outcome?.refused ?? [];
  const skipped = [...plan.skipped, ...refused.map((each) => toSkippedRow(each, plan))].sort(
    (a, b) => a.row - b.row,
  );
  const imported = plan.contacts.length - refused.length;
  return (
    <>
      <p role="status" className="font-medium">
        {outcome === undefined
          ? preview.error === null && 'Checking…'
          : describe(outcome, skipped.length, run.data !== undefined)}
      </p>
      {run.data === undefined && (
        <label className="block">
          <span className="mb-1 block font-medium text-soft">Existing contacts</span>
          <select
            className="field"
            value={existing}
            disabled={run.isPending}
            onChange={({ target }) => setExisting(target.value as 'keep' | 'update')}
          >
            <option value="update">
              Update them: replace the name and fields, add the tags and numbers
            </option>
            <option value="keep">Keep them as they are</option>
          </select>
        </label>
      )}
      {skipped.length > 0 && (
        <section aria-labelledby="skipped-title">
          <h3 id="skipped-title" className="mb-1 font-medium text-soft">
            Skipped rows
          </h3>
          <ul
            tabIndex={0}
            aria-labelledby="skipped-title"
            className="scroller max-h-48 rounded-lg border border-line px-3 py-2 text-[0.8125rem]"
          >
            {skipped.slice(0, SHOWN_SKIPPED).map(({ row, reason }) => (
              <li key={row}>
                <span className="text-faint tabular-nums">Row {row}:</span>{' '}
                <span dir="auto">{reason}</span>
              </li>
            ))}
            {skipped.length > SHOWN_SKIPPED && (
              <li className="text-faint">
                and {plural(skipped.length - SHOWN_SKIPPED, 'more row')}
              </li>
            )}
          </ul>
        </section>
      )}
      {run.isPending && (
        <Notice tone="info">
          {plural(sent, 'contact')} of {plan.contacts.length} sent…
        </Notice>
      )}
      <FailureNotice error={run.error ?? preview.error} />
      <div className="flex items-center justify-end gap-2 border-t border-line pt-4">
        {run.data === undefined ? (
          <>
            <Button kind="quiet" disabled={run.isPending} onClick={props.onBack}>
              Back
            </Button>
            <Button
              kind="primary"
              disabled={run.isPending || imported === 0 || preview.data === undefined}
              onClick={() => run.mutate(plan.contacts)}
            >
              Import {plural(imported, 'contact')}
            </Button>
          </>
        ) : (
          <Button kind="primary" onClick={props.onClose}>
            Done
          </Button>
        )}
      </div>
    </>
  );
}

const REFUSALS: Record<ImportRefusal, string> = {
  too_many_tags: `The contact would have more than ${CONTACT_LIMITS.tags} tags.`,
  too_many_fields: `The contact would have more than ${CONTACT_LIMITS.fields} fields.`,
  too_many_numbers: `The contact would have more than ${CONTACT_LIMITS.otherNumbers} other numbers.`,
  number_exists: 'Another contact has one of the numbers.',
};

/** The contact of the row is valid on its own, but not when it is combined with the stored contact.
 */
function toSkippedRow(
  { number, reason }: ImportOutcome['refused'][number],
  { rowOf }: ImportPlan,
): SkippedRow {
  return { row: rowOf.get(number) ?? 0, reason: REFUSALS[reason] };
}

function describe({ created, updated, kept }: ImportCounts, skipped: number, isDone: boolean) {
  const parts = [
    `${plural(created, 'contact')} ${isDone ? 'added' : 'to add'}`,
    ...(updated > 0 ? [`${updated} ${isDone ? 'updated' : 'to update'}`] : []),
    ...(kept > 0 ? [`${kept} kept`] : []),
    ...(skipped > 0 ? [`${plural(skipped, 'row')} skipped`] : []),
  ];
  return `${parts.join(', ')}.`;
}
