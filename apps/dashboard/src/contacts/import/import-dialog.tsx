import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as strings from '#strings/contact-import';
import { useApi } from '../../api/api-context.tsx';
import { workspaceQuery } from '../../api/workspace-queries.ts';
import { countryOf } from '../../phone/country-of.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { FailureNotice, Notice } from '../../ui/notice.tsx';
import { ColumnMapping } from './column-mapping.tsx';
import type { ColumnUse } from './columns/column.ts';
import { FileOptions } from './file-options.tsx';
import { describeProblem } from './file-problem.ts';
import type { Detected, FileChoices } from './file/file-choices.ts';
import type { FileProblem } from './file/read-table.ts';
import { ImportPreview } from './import-preview.tsx';
import { useImporter } from './use-importer.ts';
import type { TableSummary } from './worker/create-importer.ts';

const MAX_BYTES = 20_000_000;
const AS_DETECTED: FileChoices = { encoding: null, delimiter: null, headerRow: null };

/** What the worker has read, and what the person changed. */
interface ReadFile {
  choices: FileChoices;
  detected: Detected | null;
  table: TableSummary | null;
  /** Null: as guessed. */
  uses: readonly ColumnUse[] | null;
  problem: string | null;
  error: unknown;
}

const NO_FILE: ReadFile = {
  choices: AS_DETECTED,
  detected: null,
  table: null,
  uses: null,
  problem: null,
  error: null,
};

/** Imports contacts from a CSV file: choose the file, map its columns, preview, import. */
export function ImportDialog(props: { workspaceId: string; onClose(): void }) {
  const api = useApi();
  const client = useQueryClient();
  const { getImporter, running } = useImporter();
  const [file, setFile] = useState(NO_FILE);
  const [isReading, setReading] = useState(false);
  const [isMapped, setMapped] = useState(false);
  const { table, detected, problem } = file;
  const uses = file.uses ?? table?.uses ?? [];

  /** Shows the result of a read. Uses that the person changed are kept for the same columns. */
  async function show(
    result: Promise<TableSummary | FileProblem>,
    before: ReadFile,
    choices: FileChoices,
  ): Promise<void> {
    setReading(true);
    try {
      const read = await result;
      if (read.kind !== 'table') {
        return setFile({ ...before, choices, table: null, problem: describeProblem(read) });
      }
      const isSame = before.table?.columns.length === read.columns.length;
      const kept = isSame ? before.uses : null;
      setFile({ ...NO_FILE, choices, detected: read.detected, table: read, uses: kept });
    } catch (error) {
      // The browser refuses to read a file that has changed since it was chosen.
      if (error instanceof Error && /NotReadable|NotFound/.test(error.message)) {
        setFile({ ...NO_FILE, problem: strings.fileUnreadable });
      } else setFile({ ...NO_FILE, error });
    } finally {
      setReading(false);
    }
  }

  function open(chosen: File | undefined): void {
    setFile(NO_FILE);
    if (chosen === undefined) return;
    if (chosen.size > MAX_BYTES) return setFile({ ...NO_FILE, problem: strings.fileTooLarge });
    void show(openFile(chosen), NO_FILE, AS_DETECTED);
  }

  /** Waits for the country of the workspace: without it, columns of national numbers are not recognized. */
  async function openFile(chosen: File): Promise<TableSummary | FileProblem> {
    const workspace = await client.query({
      ...workspaceQuery(api, props.workspaceId),
      staleTime: 'static',
    });
    const country = countryOf(workspace);
    return getImporter().open(chosen, { language: navigator.language, country });
  }

  function change(changed: Partial<FileChoices>): void {
    const choices = { ...file.choices, ...changed };
    const merged = detected === null ? null : { ...detected, ...withoutNulls(changed) };
    setFile({ ...file, choices, detected: merged });
    void show(getImporter().read(choices), { ...file, detected: merged }, choices);
  }

  return (
    <Dialog title={strings.importContacts} wide onClose={props.onClose}>
      <div className="space-y-4">
        {!isMapped && (
          <Field label={strings.csvFile} error={problem} hint={strings.csvFileHint}>
            {(control) => (
              <input
                {...control}
                type="file"
                accept=".csv,.tsv,.tab,.txt,text/csv"
                className="field file:mr-3 file:rounded-md file:border-0 file:bg-sunken file:px-2 file:py-0.5 file:text-ink"
                onChange={({ target }) => open(target.files?.[0])}
              />
            )}
          </Field>
        )}
        <FailureNotice error={file.error} />
        {isReading && <p role="status">{strings.readingFile}</p>}
        {detected !== null && !isMapped && <FileOptions detected={detected} onChange={change} />}
        {table !== null && !isMapped && (
          <>
            <ColumnMapping
              columns={table.columns}
              uses={uses}
              guessed={table.uses}
              onChange={(changed) => setFile({ ...file, uses: changed })}
            />
            {!uses.includes('number') && (
              <Notice tone="wait">{strings.chooseColumnWithPhoneNumbers}</Notice>
            )}
            <div className="flex justify-end border-t border-line pt-4">
              <Button
                kind="primary"
                disabled={isReading || !uses.includes('number')}
                onClick={() => setMapped(true)}
              >
                {strings.preview}
              </Button>
            </div>
          </>
        )}
        {table !== null && isMapped && (
          <ImportPreview
            {...props}
            importer={getImporter()}
            running={running}
            rows={table.rows}
            uses={uses}
            onBack={() => setMapped(false)}
          />
        )}
      </div>
    </Dialog>
  );
}

const withoutNulls = (choices: Partial<FileChoices>): Partial<Detected> =>
  Object.fromEntries(Object.entries(choices).filter(([, value]) => value !== null));
