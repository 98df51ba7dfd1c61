import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the key that encrypts provider credentials. Creates it on the first start, with mode 600. */
export async function keepSecretKey(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret-key');
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const key = randomBytes(32).toString('base64');
  await writeFile(path, `${key}\n`, { mode: 0o600, flag: 'wx' });
  return key;
}
