import { resolve } from 'node:path';

/** The root folder of the checkout; the same from `src` and from `dist`. */
export const ROOT_FOLDER = resolve(import.meta.dirname, '../../..');
