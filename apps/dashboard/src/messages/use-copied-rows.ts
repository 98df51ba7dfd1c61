import type { Message } from '@switchboard/contracts';
import { type RefObject, useEffect, useEffectEvent } from 'react';
import { useContactDirectory } from '../contacts/contact-context.tsx';
import { formatPhone } from '../phone/format-phone.ts';
import { formatFullTime } from '../ui/format.ts';
import { putTable } from './copy-rows.ts';
import { statusLabel } from './status-badge.tsx';

/**
 * Copies selected rows as a table. A selection within one cell is copied as its text. If all rows are selected, those that are not
 * rendered because they are out of view are copied too.
 */
export function useCopiedRows(
  scroller: RefObject<HTMLElement | null>,
  messages: readonly Message[],
): void {
  const directory = useContactDirectory();
  const write = (number: string | null): string =>
    number === null ? '' : (directory.read(number)?.name ?? '') || formatPhone(number);
  const toCells = ({ status, error_code, from, to, body, created_at }: Message): string[] => [
    error_code === null ? statusLabel(status) : `${statusLabel(status)} (${error_code})`,
    write(from),
    write(to),
    body,
    formatFullTime(created_at),
  ];

  const onCopy = useEffectEvent((event: ClipboardEvent) => {
    const selection = document.getSelection();
    const element = scroller.current;
    if (selection === null || selection.isCollapsed || element === null) return;
    // In a text field, the selection of the page is not what is copied.
    if (event.target instanceof HTMLElement && event.target.matches('input, textarea')) return;
    const isSelected = (node: Element): boolean => selection.containsNode(node, true);
    if ([...element.querySelectorAll('[role=cell]')].filter(isSelected).length < 2) return;
    const rows = [...element.querySelectorAll<HTMLElement>('[data-message]')];
    const ids = new Set(rows.filter(isSelected).map((row) => row.dataset['message']));
    const isAll = ids.size === rows.length && selection.containsNode(element, false);
    const copied = isAll ? messages : messages.filter(({ id }) => ids.has(id));
    if (event.clipboardData === null || copied.length === 0) return;
    putTable(event.clipboardData, copied.map(toCells));
    event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: ClipboardEvent): void => onCopy(event);
    document.addEventListener('copy', listener);
    return () => document.removeEventListener('copy', listener);
  }, []);
}
