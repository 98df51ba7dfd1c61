import { isPhoneNumber } from '@switchboard/core';
import { z } from 'zod';

/** UUIDs are compared in lower case. */
const id = (description: string) =>
  z
    .uuid()
    .transform((value) => value.toLowerCase())
    .describe(description);

/** All path parameters. A value that does not match its schema gets the error `not_found`. */
export const pathParameters = {
  workspaceId: id('The workspace'),
  messageId: z
    .string()
    .describe('The `id` of the message, or its `sid`')
    .meta({ examples: ['01a1f7b3-89b6-7000-bd3d-4fb81d1bee36'] }),
  index: z
    .string()
    .regex(/^(0|[1-9]\d?)$/)
    .transform(Number)
    .describe('The position in `media` of the message, from 0')
    .meta({ examples: ['0'] }),
  mediaId: id('The uploaded file'),
  fileName: z
    .string()
    .describe('Any name; some providers read its extension')
    .meta({ examples: ['media.jpg'] }),
  numberId: id('The phone number'),
  contactId: id('The contact'),
  erasureId: id('The request to erase a person'),
  replyId: id('The saved reply'),
  providerId: id('The provider account'),
  noteId: id('The note'),
  viewId: id('The saved view'),
  userId: id('The member'),
  inviteId: id('The invitation'),
  keyId: id('The API key'),
  endpointId: id('The webhook endpoint'),
  deliveryId: id('The delivery'),
  sessionId: id('The session'),
  number: z
    .string()
    .refine(isPhoneNumber)
    .describe('The phone number in E.164 format')
    .meta({ examples: ['+14155550123'] }),
  resetToken: z
    .string()
    .describe('The token of the link to reset a password')
    .meta({ examples: ['swr_8wNc5KqYb1mXe3Vt0hRzJfLd7uPgAs9oT2iGyQ4xBkZ'] }),
  emailToken: z
    .string()
    .describe('The token of the link to confirm an email address')
    .meta({ examples: ['swe_2hTqZ6fWm9LbXy4Kc0sNvR7pGdJe1uAo5iQxY3zBtVk'] }),
  signInToken: z
    .string()
    .describe('The token of the link that the operator printed')
    .meta({ examples: ['swl_7dKx2VqWn4ZbTy9Lc3sGvR6pHfJe1uAo8iQmY5zXtBk'] }),
  token: z
    .string()
    .describe('The token of the invitation')
    .meta({ examples: ['swi_4fQ1zL0pXo8vC2yN6tRk3mWb7hJd9sAe5uGxVqYiTcZ'] }),
} as const;

export type PathParameter = keyof typeof pathParameters;

/** Returns the names of the variables in a path, in their order. */
export function listPathParameters(path: string): PathParameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    if (!Object.hasOwn(pathParameters, name)) {
      throw new Error(`{${name}} of ${path} has no schema: add it to path-parameters.ts`);
    }
    return name as PathParameter;
  });
}
