import { type PageAnswer, type RawQuery, parsePaging } from '@switchboard/contracts';
import type { Page, PageRequest } from '@switchboard/database';
import type { FastifyRequest } from 'fastify';

/** Answers a list: `page` and `limit` from the query, the items as clients read them. */
export async function answerPage<Item, Wire>(
  request: FastifyRequest,
  list: (page: PageRequest) => Promise<Page<Item>>,
  toWire: (item: Item) => Wire,
): Promise<PageAnswer<Wire>> {
  const { page, limit } = parsePaging(request.query as RawQuery);
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
