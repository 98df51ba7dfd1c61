import { CONTACT_LIMITS } from '@switchboard/contracts';
import { useState } from 'react';
import * as actions from '#strings/actions';
import * as strings from '#strings/contact-import';
import { useCountry } from '../../phone/country-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { FailureNotice, Notice } from '../../ui/notice.tsx';
import { describeSkip } from './describe-skip.ts';
import { AmbiguousField } from './ambiguous-field.tsx';
import { NumberReadings } from './number-readings.tsx';
import type { AmbiguousDigits } from './plan/read-number.ts';
import type { ImportOutcome } from './send-import.ts';
import { type ShownSkip, SkippedRows } from './skipped-rows.tsx';
import { type ImportSource, useImportRun } from './use-import-run.ts';
import type { PlanSummary } from './worker/create-importer.ts';

interface ImportPreviewProps extends ImportSource {
  /** How many rows the table has. */
  rows: number;
  onBack(): void;
  onClose(): void;
}

/** Shows what an import would do and which rows it skips, and imports. */
export function ImportPreview(props: ImportPreviewProps) {
  const [existing, setExisting] = useState<'keep' | 'update'>('update');
  const country = useCountry();
  const [ambiguous, setAmbiguous] = useState<AmbiguousDigits>('skip');
  const { plan, planned, preview, run, progress, stop } = useImportRun(props, {
    existing,
    rules: { country, ambiguous },
  });
  const summary = plan.data ?? null;
  const outcome = run.data ?? preview.data;
  const total = summary?.contacts ?? 0;
  const imported = total - (outcome?.refused.length ?? 0);
  const skippedRows = (summary?.skippedRows ?? 0) + (outcome?.refused.length ?? 0);
  const isStopped = run.data !== undefined && run.data.sent < total;
  const error = plan.error ?? run.error ?? preview.error;
  return (
    <>
      <p role="status" className="font-medium">
        {outcome !== undefined
          ? (run.data === undefined ? strings.importPlan : strings.importOutcome)({
              ...outcome,
              skipped: skippedRows,
            })
          : error === null &&
            (summary === null
              ? strings.readingRows({ done: planned, total: props.rows })
              : strings.checkingContacts({ done: progress.sent, total }))}
      </p>
      {isStopped && (
        <Notice tone="wait">{strings.importStopped({ sent: run.data?.sent ?? 0, total })}</Notice>
      )}
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
      {run.data === undefined && (ambiguous !== 'skip' || (summary?.ambiguousRows ?? 0) > 0) && (
        <AmbiguousField
          country={country}
          value={ambiguous}
          isDisabled={run.isPending}
          onChange={setAmbiguous}
        />
      )}
      {summary !== null && run.data === undefined && summary.readings.length > 0 && (
        <NumberReadings readings={summary.readings} changed={summary.changedNumbers} />
      )}
      {skippedRows > 0 && <SkippedRows rows={listSkipped(summary, outcome)} count={skippedRows} />}
      {run.isPending && (
        <Notice tone="info">{strings.contactsSent({ sent: progress.sent, total })}</Notice>
      )}
      {progress.isWaiting && <Notice tone="wait">{strings.waitingForServer}</Notice>}
      <FailureNotice error={error} />
      <div className="flex items-center justify-end gap-2 border-t border-line pt-4">
        {run.data === undefined ? (
          <>
            {run.isPending ? (
              <Button kind="quiet" onClick={stop}>
                {strings.stopImport}
              </Button>
            ) : (
              <Button kind="quiet" onClick={props.onBack}>
                {actions.back}
              </Button>
            )}
            <Button
              kind="primary"
              disabled={
                run.isPending || imported === 0 || summary === null || preview.data === undefined
              }
              onClick={() => summary !== null && run.mutate(summary)}
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

const REFUSALS: Record<ImportOutcome['refused'][number]['reason'], string> = {
  too_many_tags: strings.tooManyTagsTogether(CONTACT_LIMITS.tags),
  too_many_fields: strings.tooManyFieldsTogether(CONTACT_LIMITS.fields),
  too_many_numbers: strings.tooManyNumbersTogether(CONTACT_LIMITS.otherNumbers),
  number_exists: strings.numberOfAnother,
  invalid: strings.contactInvalid,
};

/** No list on the page is longer. */
const SHOWN_SKIPPED = 100;

/** Lists the rows that the plan skips and those that the server refuses, in the order of the file. */
function listSkipped(plan: PlanSummary | null, outcome: ImportOutcome | undefined): ShownSkip[] {
  const planned = plan?.skipped.map(({ row, reason }) => ({ row, reason: describeSkip(reason) }));
  const refused = outcome?.refused.map(({ row, reason }) => ({ row, reason: REFUSALS[reason] }));
  return [...(planned ?? []), ...(refused ?? [])]
    .sort((a, b) => a.row - b.row)
    .slice(0, SHOWN_SKIPPED);
}
