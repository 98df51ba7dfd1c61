import type { ProviderProblem } from '@switchboard/database';

/** Describes what an account delivered and the service did not understand; null for nothing. */
export function describeProblems(problems: readonly ProviderProblem[]): string | null {
  return problems.length === 0 ? null : problems.map(describe).join(' ');
}

function describe(problem: ProviderProblem): string {
  const { kind, count, since, example, waiting } = problem;
  const from = `since ${since.toISOString()}`;
  switch (kind) {
    case 'unmatched': {
      const other =
        waiting === null ? '' : `, while a message that waits for its receipt has ${waiting}`;
      return `${countOf(count, 'delivery receipt')} ${from} that match no message: for example, one names ${example}${other}. If the provider writes identifiers differently in receipts, correct the settings of the account.`;
    }
    case 'unknown_state':
      return `${countOf(count, 'delivery receipt')} ${from} with a state that Switchboard does not know, for example ${example}. The timelines of the messages show it.`;
    case 'unreadable_receipt':
      return `${countOf(count, 'delivery receipt')} ${from} that name no message, for example “${example}”.`;
    case 'unread_number':
      return `${countOf(count, 'received message')} ${from} with a number that cannot be read, for example “${example}”. The number is stored unchanged. If the provider writes national numbers, set the country of the account.`;
    case 'unreadable_message':
      return `${countOf(count, 'received message')} ${from} without a readable address (${example}). They were refused.`;
  }
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
