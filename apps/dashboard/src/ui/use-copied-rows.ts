import { type RefObject, useEffect, useEffectEvent } from 'react';
import { putTable } from './put-table.ts';

/**
 * Copies selected rows of a table or a list as a table. A selection within one cell is copied as its text. If all rows are
 * selected, those that are not rendered because they are out of view are copied too.
 *
 * @param options.indexOf returns the index of the item that a row shows. Default: the position of the row.
 */
export function useCopiedRows<Item>(
  container: RefObject<HTMLElement | null>,
  options: {
    items: readonly Item[];
    toCells(item: Item): readonly string[];
    indexOf?(row: Element): number;
  },
): void {
  const onCopy = useEffectEvent((event: ClipboardEvent) => {
    const selection = document.getSelection();
    const element = container.current;
    if (event.defaultPrevented || event.clipboardData === null || element === null) return;
    if (selection === null || selection.isCollapsed) return;
    // In a text field, the selection of the page is not what is copied.
    if (event.target instanceof HTMLElement && event.target.matches('input, textarea')) return;
    const isSelected = (node: Element): boolean => selection.containsNode(node, true);
    const { items, toCells, indexOf } = options;
    // A row of a list is one cell.
    const isList = element.matches('ul');
    const cells = isList ? element.children : element.querySelectorAll('[role=cell]');
    if ([...cells].filter(isSelected).length < 2) return;
    const elements = isList ? element.children : element.querySelectorAll('[role=row]');
    const rows = [...elements].map((row, position) => ({
      row,
      item: items[indexOf === undefined ? position : indexOf(row)],
    }));
    const selected = rows.filter(({ row }) => isSelected(row));
    const isAll = selected.length === rows.length && selection.containsNode(element, false);
    const copied = isAll ? items : selected.flatMap(({ item }) => item ?? []);
    if (copied.length === 0) return;
    putTable(event.clipboardData, copied.map(toCells));
    event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: ClipboardEvent): void => onCopy(event);
    document.addEventListener('copy', listener);
    return () => document.removeEventListener('copy', listener);
  }, []);
}
