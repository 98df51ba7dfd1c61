import { type PageResponse, toPaging } from '@switchboard/contracts';
import type { Page, PageRequest } from '@switchboard/database';

/** Creates the response of a list: reads the page that the query names and converts its items. */
export async function respondWithPage<Item, Wire>(
  query: Parameters<typeof toPaging>[0],
  list: (page: PageRequest) => Promise<Page<Item>>,
  toWire: (item: Item) => Wire,
): Promise<PageResponse<Wire>> {
  const { page, limit } = toPaging(query);
  const { items, total } = await list({ number: page, size: limit });
  const totalPages = Math.ceil(total / limit);
  return {
    data: items.map(toWire),
    pagination: {
      currentPage: page,
      totalPages,
      totalItems: total,
      hasNext: page < totalPages,
    },
  };
}
