import { useState } from 'react';
import * as strings from '#strings/contact-import';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ColumnMapping } from './column-mapping.tsx';
import { decodeText } from './decode-text.ts';
import { ImportPreview } from './import-preview.tsx';
import { parseCsv } from './parse-csv.ts';
import { type ColumnUse, guessColumns } from './plan-import.ts';

const MAX_ROWS = 50_000;
const MAX_BYTES = 20_000_000;

interface Table {
  rows: string[][];
  uses: ColumnUse[];
}

/** Imports contacts from a CSV file: choose the file, map its columns, preview, import. */
export function ImportDialog(props: { workspaceId: string; onClose(): void }) {
  const [table, setTable] = useState<Table | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isMapped, setMapped] = useState(false);

  async function open(file: File | undefined): Promise<void> {
    setTable(null);
    setProblem(null);
    if (file === undefined) return;
    if (file.size > MAX_BYTES) return setProblem(strings.fileTooLarge);
    const rows = parseCsv(decodeText(new Uint8Array(await file.arrayBuffer())));
    const [headers] = rows;
    if (headers === undefined || rows.length < 2) {
      return setProblem(strings.fileWithoutRows);
    }
    if (rows.length > MAX_ROWS + 1) {
      return setProblem(strings.tooManyRows(MAX_ROWS));
    }
    setTable({ rows, uses: guessColumns(headers) });
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
                accept=".csv,.tsv,.txt,text/csv"
                className="field file:mr-3 file:rounded-md file:border-0 file:bg-sunken file:px-2 file:py-0.5 file:text-ink"
                onChange={({ target }) => void open(target.files?.[0])}
              />
            )}
          </Field>
        )}
        {table !== null && !isMapped && (
          <>
            <ColumnMapping {...table} onChange={(uses) => setTable({ ...table, uses })} />
            {!table.uses.includes('number') && (
              <Notice tone="wait">{strings.chooseColumnWithPhoneNumbers}</Notice>
            )}
            <div className="flex justify-end border-t border-line pt-4">
              <Button
                kind="primary"
                disabled={!table.uses.includes('number')}
                onClick={() => setMapped(true)}
              >
                {strings.preview}
              </Button>
            </div>
          </>
        )}
        {table !== null && isMapped && (
          <ImportPreview {...props} {...table} onBack={() => setMapped(false)} />
        )}
      </div>
    </Dialog>
  );
}
