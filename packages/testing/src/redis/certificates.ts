import { join } from 'node:path';
import { ROOT_FOLDER } from '../root-folder.ts';

/** `server` is valid for 127.0.0.1 and redis.test, `elsewhere` for neither. */
export type CertificateName = 'server' | 'elsewhere';

/** `authority.pem` has signed both; `other-authority.pem` has signed nothing. */
export function certificatePath(file: string): string {
  return join(ROOT_FOLDER, 'packages/testing/certificates', file);
}
