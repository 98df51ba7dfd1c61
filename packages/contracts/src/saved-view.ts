import { z } from 'zod';
import { messageFilters } from './list-messages.ts';
import { pageOf } from './page.ts';
import { nameUpTo, textUpTo } from './text.ts';
import { timestamp } from './timestamp.ts';

const name = nameUpTo(100);
/** Longer than any filter that the history accepts. */
const filter = textUpTo(1_000).optional();

type FilterName = keyof typeof messageFilters.shape;
const FILTER_NAMES = Object.keys(messageFilters.shape) as FilterName[];

/** The filters as texts, in the form of the query of the history. */
const texts = z.object(
  Object.fromEntries(FILTER_NAMES.map((each) => [each, filter])) as Record<
    FilterName,
    typeof filter
  >,
);

const filters = texts
  .superRefine((given, context) => {
    const { error } = messageFilters.safeParse(given);
    for (const { path, message } of error?.issues ?? []) {
      context.addIssue({ code: 'custom', path: [...path], message });
    }
  })
  .refine((given) => Object.values(given).some((value) => value !== undefined), {
    error: 'must have at least one filter',
  })
  .describe('Filters of the message list, with the names and formats of its query parameters');

export const addSavedViewRequest = z.object({ name, filters }).meta({ id: 'AddSavedViewRequest' });

export const changeSavedViewRequest = z
  .object({ name: name.optional(), filters: filters.optional() })
  .meta({ id: 'ChangeSavedViewRequest' });

export const savedView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    filters: texts,
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'SavedView' });

export const savedViewList = pageOf(savedView).meta({ id: 'SavedViewList' });

export type SavedView = z.infer<typeof savedView>;
