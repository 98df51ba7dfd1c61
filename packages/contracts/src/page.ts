import { z } from 'zod';

export const pagination = z
  .object({
    currentPage: z.number(),
    totalPages: z.number(),
    totalItems: z.number(),
    hasNext: z.boolean(),
  })
  .meta({ id: 'Pagination' });

/** The schema of every list except the messages: `{ data, pagination }`. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ data: z.array(item), pagination });

export interface PageResponse<Item> {
  data: Item[];
  pagination: z.infer<typeof pagination>;
}
