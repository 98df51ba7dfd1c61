import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** The locales of a spreadsheet, with Microsoft's identifiers, which LibreOffice's filters use. */
export const LOCALES = { 'en-US': 1033, 'de-DE': 1031, 'fr-FR': 1036 } as const;

export type Locale = keyof typeof LOCALES;

/** Comma, quotation mark, UTF-8, from the first row. */
const CSV = '44,34,76,1,';

/**
 * Opens a CSV file in LibreOffice Calc, with all cells that look like numbers or dates read as such, and saves it
 * as CSV: directly, or as a workbook first.
 */
export async function convertTable(
  csv: string,
  { locale, asWorkbook }: { locale: Locale; asWorkbook: boolean },
): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'spreadsheet-'));
  await mkdir(path.join(folder, 'profile/user'), { recursive: true });
  await writeFile(path.join(folder, 'profile/user/registrymodifications.xcu'), settingsOf(locale));
  const source = path.join(folder, 'table.csv');
  await writeFile(source, csv);
  const language = LOCALES[locale];
  const read = `--infilter=CSV:${CSV},${language},false,true`;
  const write = `csv:Text - txt - csv (StarCalc):${CSV},${language},true,true,false`;
  const out = path.join(folder, 'out');
  if (asWorkbook) {
    await runOffice(folder, [read, '--convert-to', 'xlsx', '--outdir', out, source]);
    const workbook = path.join(out, 'table.xlsx');
    await runOffice(folder, ['--convert-to', write, '--outdir', out, workbook]);
  } else {
    await runOffice(folder, [read, '--convert-to', write, '--outdir', out, source]);
  }
  return readFile(path.join(out, 'table.csv'), 'utf8');
}

async function runOffice(folder: string, options: readonly string[]): Promise<void> {
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  try {
    await promisify(execFile)('soffice', [profile, '--headless', ...options], { timeout: 120_000 });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new Error(
      'This test needs LibreOffice Calc. On Debian: apt-get install -y --no-install-recommends libreoffice-calc-nogui',
      { cause },
    );
  }
}

function settingsOf(locale: Locale): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>${locale}</value></prop></item>
</oor:items>
`;
}
