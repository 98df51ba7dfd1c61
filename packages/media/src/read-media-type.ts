import { MEDIA_TYPES } from '@switchboard/core';
import { fileTypeFromFile } from 'file-type';

/** Other names of types. */
const SAME_AS: Readonly<Record<string, string>> = {
  'audio/x-m4a': 'audio/mp4',
  'audio/vnd.wave': 'audio/wav',
  'video/x-m4v': 'video/mp4',
};

/** Reads the type of a file from its content; null if it is not one that may be uploaded. */
export async function readMediaType(path: string): Promise<string | null> {
  const found = (await fileTypeFromFile(path))?.mime.split(';')[0] ?? '';
  const type = SAME_AS[found] ?? found;
  return Object.hasOwn(MEDIA_TYPES, type) ? type : null;
}
