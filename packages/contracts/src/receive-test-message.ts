import { z } from 'zod';
import { BODY_MAX_CHARACTERS, MEDIA_URLS_MAX } from './limits.ts';
import { phoneNumber, sender, textUpTo } from './text.ts';

const mediaUrl = textUpTo(2_048)
  .refine((value) => URL.canParse(value) && new URL(value).protocol === 'https:', {
    error: 'must be an https URL',
  })
  .meta({ examples: ['https://example.com/cat.jpg'] });

/** A message that a workspace receives in test mode, as a provider would deliver it. */
export const receiveTestMessageRequest = z
  .object({
    to: phoneNumber().describe(
      'A number of the workspace or of its test workspace, such as the test sender',
    ),
    from: sender().describe('The number, or the name, of the person who writes'),
    body: textUpTo(BODY_MAX_CHARACTERS).describe('STOP, START and HELP have their usual effect'),
    media_urls: z
      .array(mediaUrl, 'must be a list of URLs')
      .max(MEDIA_URLS_MAX, `must have at most ${MEDIA_URLS_MAX} entries`)
      .optional(),
  })
  .meta({ id: 'ReceiveTestMessageRequest' });
