import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const REPORT = 'report.json';

export interface Evidence {
  folder: string;
  /** Removes a temporary folder without a report. */
  removeUnlessKept(): Promise<void>;
}

/** Creates the folder for the logs of a run. `keepEvidence` adds the other files. */
export async function openEvidence(keep: string | null): Promise<Evidence> {
  const folder =
    keep === null ? await mkdtemp(join(tmpdir(), 'switchboard-chaos-')) : resolve(keep);
  await mkdir(folder, { recursive: true });
  return {
    folder,
    async removeUnlessKept() {
      if (keep === null && !existsSync(join(folder, REPORT))) {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Writes everything that helps to explain a violation, one file each, next to the logs of all processes. */
export async function keepEvidence(
  folder: string,
  kept: { report: unknown; ledger: readonly unknown[]; files: Record<string, unknown> },
): Promise<void> {
  const write = (name: string, value: unknown) =>
    writeFile(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
  for (const [name, value] of Object.entries(kept.files)) await write(`${name}.json`, value);
  await writeFile(
    join(folder, 'ledger.ndjson'),
    kept.ledger.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  await write(REPORT, kept.report);
}
