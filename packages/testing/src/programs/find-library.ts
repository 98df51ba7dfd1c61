import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fetchPackages } from './fetch-program.ts';

const FAKETIME = 'libfaketime.so.1';

/**
 * Returns the path of libfaketime, which changes the clock of a process; fetches it if this machine
 * has none.
 */
export async function findFaketime(): Promise<string> {
  const installed = await findLibrary('/usr', FAKETIME);
  if (installed !== null) return installed;
  try {
    const folder = await fetchPackages({ name: 'libfaketime', packages: ['libfaketime'] });
    const fetched = await findLibrary(join(folder, 'root/usr'), FAKETIME);
    if (fetched !== null) return fetched;
    throw new Error(`The package does not contain ${FAKETIME}.`);
  } catch (cause) {
    throw new Error(
      `These tests need ${FAKETIME}: install the package libfaketime (downloading the Debian package also failed).`,
      { cause },
    );
  }
}

/** Debian keeps it in `lib/<architecture>/faketime`. */
async function findLibrary(prefix: string, name: string): Promise<string | null> {
  const architectures = await readdir(join(prefix, 'lib')).catch((): string[] => []);
  for (const architecture of architectures) {
    const folder = join(prefix, 'lib', architecture, 'faketime');
    const files = await readdir(folder).catch((): string[] => []);
    if (files.includes(name)) return join(folder, name);
  }
  return null;
}
