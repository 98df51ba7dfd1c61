import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const { devDependencies } = createRequire(import.meta.url)('../package.json') as {
  devDependencies: { '@sparticuz/chromium': string };
};
const CACHE = path.join(import.meta.dirname, '../../../.cache');

/** Chromium as npm brings it, with libraries and fonts of its own: nothing else is installed. */
export async function launchChromium(): Promise<Browser> {
  const home = path.join(CACHE, `chromium-${devDependencies['@sparticuz/chromium']}`);
  if (!(await exists(home))) await unpack(home);
  return chromium.launch({
    executablePath: path.join(home, 'chromium'),
    headless: true,
    // With them, as people have them: a page that scrolls where it should not shows one more.
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
      TMPDIR: home,
      LD_LIBRARY_PATH: path.join(home, 'al2023/lib'),
      FONTCONFIG_FILE: path.join(home, 'fonts.conf'),
    },
  });
}

/** Beside its place first, so that a second test file never sees half of it. */
async function unpack(home: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const own = await mkdtemp(path.join(CACHE, 'chromium-'));
  const { AWS_EXECUTION_ENV: host, TMPDIR: temporary } = process.env;
  // Read when the package is loaded: where to unpack to, and that its libraries are wanted.
  process.env['AWS_EXECUTION_ENV'] = 'AWS_Lambda_nodejs20.x';
  process.env['TMPDIR'] = own;
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    await packed.executablePath();
    // Its own configuration looks for them elsewhere, and without a font Chromium ends itself.
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
