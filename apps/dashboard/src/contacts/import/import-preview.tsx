import { CONTACT_LIMITS, type ImportRefusal } from '@switchboard/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/contact-import';
import { useApi } from '../../api/api-context.tsx';
import { queryKeys } from '../../api/query-keys.ts';
import { useCountry } from '../../phone/country-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FailureNotice, Notice } from '../../ui/notice.tsx';
import { useContactChange } from '../use-contacts.ts';
import { type ColumnUse, type ImportPlan, type SkippedRow, planImport } from './plan-import.ts';
import { type ImportOutcome, sendImport } from './send-import.ts';

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
  const country = useCountry();
  const [plan] = useState(() => planImport(props.rows, props.uses, country));
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
          ? preview.error === null && actions.checking
          : (run.data === undefined ? strings.importPlan : strings.importOutcome)({
              ...outcome,
              skipped: skipped.length,
            })}
      </p>
      {run.data === undefined && (
        <Field
          label={strings.existingContacts}
          hint={existing === 'update' ? strings.updateThemHint : null}
        >
          {(control) => (
            <select
              {...control}
              className="field"
              value={existing}
              disabled={run.isPending}
              onChange={({ target }) => setExisting(target.value as 'keep' | 'update')}
            >
              <option value="update">{strings.updateThem}</option>
              <option value="keep">{strings.keepThemAsTheyAre}</option>
            </select>
          )}
        </Field>
      )}
      {skipped.length > 0 && (
        <section aria-labelledby="skipped-title">
          <h3 id="skipped-title" className="mb-1 font-medium text-soft">
            {strings.skippedRows}
          </h3>
          <ul
            tabIndex={0}
            aria-labelledby="skipped-title"
            className="scroller max-h-48 rounded-lg border border-line px-3 py-2 text-[0.8125rem]"
          >
            {skipped.slice(0, SHOWN_SKIPPED).map(({ row, reason }) => (
              <li key={row}>
                {strings.skippedRow({
                  row,
                  place: (text) => <span className="text-faint tabular-nums">{text}</span>,
                  reason: <span dir="auto">{reason}</span>,
                })}
              </li>
            ))}
            {skipped.length > SHOWN_SKIPPED && (
              <li className="text-faint">{strings.moreRows(skipped.length - SHOWN_SKIPPED)}</li>
            )}
          </ul>
        </section>
      )}
      {run.isPending && (
        <Notice tone="info">{strings.contactsSent({ sent, total: plan.contacts.length })}</Notice>
      )}
      <FailureNotice error={run.error ?? preview.error} />
      <div className="flex items-center justify-end gap-2 border-t border-line pt-4">
        {run.data === undefined ? (
          <>
            <Button kind="quiet" disabled={run.isPending} onClick={props.onBack}>
              {actions.back}
            </Button>
            <Button
              kind="primary"
              disabled={run.isPending || imported === 0 || preview.data === undefined}
              onClick={() => run.mutate(plan.contacts)}
            >
              {strings.importCount(imported)}
            </Button>
          </>
        ) : (
          <Button kind="primary" onClick={props.onClose}>
            {actions.done}
          </Button>
        )}
      </div>
    </>
  );
}

const REFUSALS: Record<ImportRefusal, string> = {
  too_many_tags: strings.tooManyTagsTogether(CONTACT_LIMITS.tags),
  too_many_fields: strings.tooManyFieldsTogether(CONTACT_LIMITS.fields),
  too_many_numbers: strings.tooManyNumbersTogether(CONTACT_LIMITS.otherNumbers),
  number_exists: strings.numberOfAnother,
};

/** Describes a row whose contact is valid by itself, but not when combined with the stored contact. */
function toSkippedRow(
  { number, reason }: ImportOutcome['refused'][number],
  { rowOf }: ImportPlan,
): SkippedRow {
  return { row: rowOf.get(number) ?? 0, reason: REFUSALS[reason] };
}
