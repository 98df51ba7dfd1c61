/** A page of a list, counted from 1. */
export interface PageRequest {
  number: number;
  size: number;
}

export interface Page<T> {
  items: T[];
  /** The number of items on all pages. */
  total: number;
}

/** Returns a page of the items that `count` counts and `read` reads in their order. */
export async function listPage<T>(
  { number, size }: PageRequest,
  count: () => Promise<number>,
  read: (range: { skip: number; take: number }) => Promise<T[]>,
): Promise<Page<T>> {
  const total = await count();
  const skip = (number - 1) * size;
  // PostgreSQL refuses a huge offset; a page past the end needs no query.
  return { items: skip < total ? await read({ skip, take: size }) : [], total };
}
