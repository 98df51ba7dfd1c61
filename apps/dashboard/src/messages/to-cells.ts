import type { Message } from '@switchboard/contracts';
import { formatPhone } from '../phone/format-phone.ts';
import { formatFullTime } from '../ui/format.ts';
import { statusLabel } from './status-badge.tsx';

/** Returns the cells of a copied message. `nameOf` returns null for a number without a contact. */
export function toCells(message: Message, nameOf: (number: string) => string | null): string[] {
  const { status, error_code, from, to, body, created_at } = message;
  const write = (number: string | null): string =>
    number === null ? '' : (nameOf(number) ?? '') || formatPhone(number);
  return [
    error_code === null ? statusLabel(status) : `${statusLabel(status)} (${error_code})`,
    write(from),
    write(to),
    body,
    formatFullTime(created_at),
  ];
}
