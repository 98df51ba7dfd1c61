import { MEDIA_MAX_BYTES } from '@switchboard/core';
import { z } from 'zod';
import { textUpTo } from './text.ts';
import { timestamp } from './timestamp.ts';

const NAME_MAX_CHARACTERS = 255;

/** The query of an upload, whose body is the file. */
export const uploadQuery = z.object({
  name: textUpTo(NAME_MAX_CHARACTERS)
    .optional()
    .describe('The name of the file, which only members see')
    .meta({ examples: ['cat.jpg'] }),
});

export const mediaFile = z
  .object({
    id: z.uuid(),
    url: z
      .string()
      .describe('The value for `media_urls` of a message. It never expires')
      .meta({ examples: ['media:01a1f7b3-89b6-7000-bd3d-4fb81d1bee36'] }),
    name: z.string().meta({ examples: ['cat.jpg'] }),
    content_type: z
      .string()
      .describe('The type of the content, whatever the name says')
      .meta({ examples: ['image/jpeg'] }),
    size: z.int().min(1).max(MEDIA_MAX_BYTES).describe('In bytes'),
    created_at: timestamp,
  })
  .meta({ id: 'MediaFile' });

export type MediaFile = z.infer<typeof mediaFile>;
