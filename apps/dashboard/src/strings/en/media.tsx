import type { ReactNode } from 'react';
import { formatCount } from '../../ui/format.ts';
import { plural } from './plural.ts';

// attach-button.tsx
export const filesToAttach = 'Files to attach';
export const attachFiles = 'Attach files';
export const attachFilesHint = 'Attach files (or drop or paste them)';

// attachment-list.tsx
export const attachments = 'Attachments';
export const remove = (name: string) => `Remove ${name}`;
export const uploading = (name: string) => `Uploading ${name}`;
export const cancelUploadOf = (name: string) => `Cancel the upload of ${name}`;
export const uploadingFiles = (count: number) =>
  plural(count, { one: 'Uploading a file', other: `Uploading ${formatCount(count)} files` });

// attachment.ts
export const tooManyAttachments = (max: number) =>
  `A message can have at most ${formatCount(max)} attachments.`;
export const fileIsEmpty = 'The file is empty.';
export const fileTooLarge = 'The file is larger than 5 MB.';
export const fileTypeRefused =
  'Files of this type can’t be sent. Choose a picture, an audio file, a video, a PDF file or a vCard.';
export const attachmentsTooLarge =
  'With this file, the attachments would be larger than 5 MB in total.';
export const attachment = 'Attachment';
export const picture = 'Picture';
export const video = 'Video';
export const audio = 'Audio file';
export const contactCard = 'Contact card';
export const file = 'File';

// media-list.tsx
export const open = (name: string) => `Open ${name}`;
export const unreadable = (kind: string) => `${kind}: the provider gave no readable file`;

// media-viewer.tsx
export const fileNotShown = 'Files of this type can’t be shown here. Download the file instead.';
export const download = 'Download';

export const place = ({ position, total }: { position: number; total: number }) =>
  `${formatCount(position)} of ${formatCount(total)}`;
export const receivedAt = (time: ReactNode) => <>Received {time}</>;
export const sentAt = (time: ReactNode) => <>Sent {time}</>;
export const receivedFile = (name: string) => `${name}, received`;
export const sentFile = (name: string) => `${name}, sent`;
/** One of several files of a message: `Picture 1 of 2`. */
export const oneOfFiles = ({ kind, position, total }: FilePlace) =>
  `${kind} ${formatCount(position)} of ${formatCount(total)}`;
export const problemOf = ({ name, problem }: { name: string; problem: string }) =>
  `${name}: ${problem}`;

interface FilePlace {
  kind: string;
  position: number;
  total: number;
}
