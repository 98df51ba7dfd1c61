import { type ComponentProps, type ReactNode, useRef } from 'react';
import { useCopiedRows } from './use-copied-rows.ts';

/** A list whose rows are copied as those of a table. Each child is one `li`. */
export function RowList<Item>(
  props: {
    items: readonly Item[];
    /** Returns the cells of a copied row. */
    toCells(item: Item): readonly string[];
    children(item: Item, index: number): ReactNode;
    /** Follows the rows. */
    end?: ReactNode;
  } & Omit<ComponentProps<'ul'>, 'children' | 'ref'>,
) {
  const { items, toCells, children, end, ...attributes } = props;
  const list = useRef<HTMLUListElement>(null);
  useCopiedRows(list, { items, toCells });
  return (
    <ul {...attributes} ref={list}>
      {items.map(children)}
      {end}
    </ul>
  );
}
