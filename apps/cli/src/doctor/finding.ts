/** What one check found, in one sentence; anything but `good` says what to mend. */
export interface Finding {
  verdict: 'good' | 'doubtful' | 'bad';
  /** What was looked at, in a word or two. */
  part: string;
  text: string;
}

const MARKS = { good: 'good ', doubtful: 'check', bad: 'MEND ' } as const;

export function formatFinding({ verdict, part, text }: Finding): string {
  return `${MARKS[verdict]}  ${part.padEnd(12)}  ${text}`;
}

/** A failure in the words of its innermost cause: "fetch failed" alone helps nobody. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return describeFailure(error.cause);
  const code: unknown = Reflect.get(error, 'code');
  const words = error.message || (typeof code === 'string' ? code : error.name);
  // OpenSSL ends its lines.
  return words.replaceAll(/\s+/g, ' ').trim();
}
