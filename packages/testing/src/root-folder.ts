import { resolve } from 'node:path';

/** The checkout. The same from `src` and from `dist`. */
export const ROOT_FOLDER = resolve(import.meta.dirname, '../../..');
