/** What one check found. */
export interface Finding {
  /**
   * `good`: nothing to do. `warning`: may need a change. `problem`: must be changed, or messages are
   * refused, delayed or lost. `skipped`: not checked, because of another problem.
   */
  result: 'good' | 'warning' | 'problem' | 'skipped';
  /** The part that was checked, in a word or two. */
  part: string;
  /** What was found and, unless it is good, what to do. */
  detail: string;
}

export function formatFinding({ result, part, detail }: Finding): string {
  return `${result.padEnd(8)}  ${part.padEnd(14)}  ${detail}`;
}

/** Describes a failure by its innermost cause: "fetch failed" alone does not help. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return describeFailure(error.cause);
  const code: unknown = Reflect.get(error, 'code');
  const words = error.message || (typeof code === 'string' ? code : error.name);
  // OpenSSL ends its messages with a line break.
  return words.replaceAll(/\s+/g, ' ').trim();
}
