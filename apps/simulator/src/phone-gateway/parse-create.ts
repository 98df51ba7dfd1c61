import { refusalOfTo } from '../messages/magic-numbers.ts';
import { isPhoneNumber } from '../phone-number.ts';

/** Parses a request to send a message to one recipient. `problem` is an error message, or null. */
export function parseCreate(input: unknown): {
  fields: { id: string; to: string; body: string };
  problem: string | null;
} {
  const { id, phoneNumbers, textMessage } = toFields(input);
  const recipients: unknown[] = Array.isArray(phoneNumbers) ? phoneNumbers : [];
  const fields = {
    id: textOf(id),
    to: textOf(recipients[0]),
    body: textOf(toFields(textMessage)['text']),
  };
  return { fields, problem: findProblem(fields, recipients.length) };
}

function findProblem(
  { id, to, body }: { id: string; to: string; body: string },
  recipients: number,
): string | null {
  if (id.length > 36) return 'id must have at most 36 characters';
  if (recipients !== 1) return 'phoneNumbers must have one number in the simulator';
  if (body === '') return 'Text message is empty';
  if (!isPhoneNumber(to) || refusalOfTo(to) !== null) return `Invalid phone number: ${to}`;
  return null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function toFields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
