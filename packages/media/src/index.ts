export { createMediaLinks, type MediaLinks } from './media-links.ts';
export type { MediaKey, MediaStorage, StoredBytes } from './media-storage.ts';
export { openMediaStorage } from './open-storage.ts';
export { readMediaType } from './read-media-type.ts';
export { FileTooLargeError, receiveFile } from './receive-file.ts';
