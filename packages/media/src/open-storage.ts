import { createFolderStorage } from './folder-storage.ts';
import type { MediaStorage } from './media-storage.ts';
import { createS3Storage } from './s3-storage.ts';

/** The settings of the storage. Their rules ensure that S3 has credentials. */
export interface MediaSettings {
  MEDIA_FOLDER?: string | undefined;
  MEDIA_S3_URL?: string | undefined;
  MEDIA_S3_REGION: string;
  MEDIA_S3_ACCESS_KEY_ID?: string | undefined;
  MEDIA_S3_SECRET_ACCESS_KEY?: string | undefined;
}

/** Opens the storage of the settings; null if there is none. */
export function openMediaStorage(settings: MediaSettings): MediaStorage | null {
  if (settings.MEDIA_S3_URL === undefined) {
    return settings.MEDIA_FOLDER === undefined ? null : createFolderStorage(settings.MEDIA_FOLDER);
  }
  return createS3Storage({
    url: settings.MEDIA_S3_URL,
    region: settings.MEDIA_S3_REGION,
    accessKeyId: settings.MEDIA_S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: settings.MEDIA_S3_SECRET_ACCESS_KEY ?? '',
  });
}
