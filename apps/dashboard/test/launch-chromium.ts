import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startOnce } from '@switchboard/testing';
import { type Browser, chromium } from 'playwright-core';

const { devDependencies } = createRequire(import.meta.url)('../package.json') as {
  devDependencies: { '@sparticuz/chromium': string };
};
const CACHE = path.join(import.meta.dirname, '../../../.cache');

/** Returns the browser that all test files of this process share. A file closes its windows with `closeWindows`. */
export const openChromium = (): Promise<Browser> => startOnce('chromium', launchChromium);

/** Closes all windows, with their cookies and stored data. */
export async function closeWindows(browser: Browser | undefined): Promise<void> {
  for (const context of browser?.contexts() ?? []) await context.close();
}

/** Launches the Chromium of an npm package, which includes its libraries and fonts. */
async function launchChromium(): Promise<Browser> {
  const home = path.join(CACHE, `chromium-${devDependencies['@sparticuz/chromium']}`);
  if (!(await exists(home))) await unpack(home);
  return chromium.launch({
    executablePath: path.join(home, 'chromium'),
    headless: true,
    // Scrollbars are shown as for users, so that a page that scrolls by mistake is detected.
    ignoreDefaultArgs: ['--hide-scrollbars'],
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      TMPDIR: tmpdir(),
      LD_LIBRARY_PATH: path.join(home, 'al2023/lib'),
      FONTCONFIG_FILE: path.join(home, 'fonts.conf'),
    },
  });
}

/** Unpacks into a temporary folder and renames it, so that no other test file uses half of it. */
async function unpack(home: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const own = await mkdtemp(path.join(CACHE, 'chromium-'));
  const { AWS_EXECUTION_ENV: host, TMPDIR: temporary } = process.env;
  // The package reads these variables on import: the target folder, and whether to unpack libraries.
  process.env['AWS_EXECUTION_ENV'] = 'AWS_Lambda_nodejs20.x';
  process.env['TMPDIR'] = own;
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    await packed.executablePath();
    // The packaged configuration points to other folders, and Chromium exits when it finds no font.
    await writeFile(path.join(own, 'fonts.conf'), describeFonts(home));
  } finally {
    restore('AWS_EXECUTION_ENV', host);
    restore('TMPDIR', temporary);
  }
  try {
    await rename(own, home);
  } catch (error) {
    await rm(own, { recursive: true });
    if (!(await exists(home))) throw error;
  }
}

function describeFonts(home: string): string {
  return `<?xml version="1.0"?><fontconfig><dir>${home}/fonts</dir><cachedir>${home}/font-cache</cachedir></fontconfig>`;
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
