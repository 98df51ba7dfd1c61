import { MEDIA_MAX_IN_WORDS, MEDIA_TYPES_IN_WORDS, QUOTAS, quotaExceeded } from '@switchboard/core';
import { z } from 'zod';
import { mediaFile, uploadQuery } from '../media-file.ts';
import { defineRoute } from './define-route.ts';
import { ok } from './ok.ts';
import { forKeysAndSessions } from './workspace-paths.ts';

const tag = 'Media';
const all = forKeysAndSessions('/media');
const one = forKeysAndSessions('/media/{mediaId}');
const noSuchFile = 'The workspace has no such file';
const storageUnavailable = 'The file storage does not respond';

export const mediaRoutes = {
  uploadMedia: defineRoute({
    method: 'POST',
    paths: all,
    permission: 'send',
    scope: 'messages:send',
    tag,
    summary: 'Upload a file, to send it with a message',
    description:
      `The body of the request is the file itself, of any content type: ${MEDIA_TYPES_IN_WORDS}, of at most ` +
      `${MEDIA_MAX_IN_WORDS}. The service determines the type from the content. Use \`url\` of the response in ` +
      '`media_urls` of messages; the provider then gets a signed URL that expires. A file that no message ' +
      'uses is deleted after a day, and so is a file whose messages have all been deleted.',
    query: uploadQuery,
    bodyType: 'application/octet-stream',
    response: { status: 201, schema: mediaFile },
    errors: {
      missing_params: 'The body of the request must be the file',
      invalid_params: `The file must be ${MEDIA_TYPES_IN_WORDS}`,
      invalid_state: 'The operator of this service has not set up file storage',
      quota_exceeded: quotaExceeded(QUOTAS.mediaFilesPerWorkspace, 'files per workspace').message,
      service_unavailable: storageUnavailable,
    },
  }),

  getMediaFile: defineRoute({
    method: 'GET',
    paths: one,
    scope: 'messages:read',
    tag,
    summary: 'Get the name, type and size of an uploaded file',
    response: { status: 200, schema: mediaFile },
    errors: { not_found: noSuchFile },
  }),

  removeMediaFile: defineRoute({
    method: 'DELETE',
    paths: one,
    permission: 'send',
    scope: 'messages:send',
    tag,
    summary: 'Delete an uploaded file that no message uses',
    response: { status: 200, schema: ok },
    errors: { not_found: noSuchFile, invalid_state: 'A message uses the file' },
  }),

  downloadMediaFile: defineRoute({
    method: 'GET',
    paths: forKeysAndSessions('/media/{mediaId}/content'),
    scope: 'messages:read',
    tag,
    summary: 'Download an uploaded file',
    response: { status: 200, contentType: '*/*', description: 'The file', isStored: true },
    errors: { not_found: noSuchFile, service_unavailable: storageUnavailable },
  }),

  followMediaLink: defineRoute({
    method: 'GET',
    paths: { none: '/api/media-links/{mediaId}/{fileName}' },
    tag,
    summary: 'Download a file by its signed link',
    description:
      'Providers fetch the media of a message here. The service signs the link when it hands the message to the ' +
      'provider, and the link expires 12 hours later.',
    query: z.object({
      expires: z
        .string()
        .optional()
        .describe('When the link expires, in seconds since 1970')
        .meta({ examples: ['1795449600'] }),
      signature: z
        .string()
        .optional()
        .describe('The signature of the service')
        .meta({ examples: ['4fQ1zL0pXo8vC2yN6tRk3mWb7hJd9sAe5uGxVqYiTcZ'] }),
    }),
    response: { status: 200, contentType: '*/*', description: 'The file', isStored: true },
    errors: {
      forbidden: 'The link has expired, or the service has not signed it',
      not_found: 'The file was deleted',
      service_unavailable: storageUnavailable,
    },
  }),
};
