/** The result of one check. */
export interface Finding {
  /**
   * `good`: nothing to do. `warning`: may need a change. `problem`: must be changed, or messages are
   * refused, delayed or lost. `skipped`: not checked, because of another problem.
   */
  result: 'good' | 'warning' | 'problem' | 'skipped';
  /** The name of the checked part, in one or two words. */
  part: string;
  /** A description and, unless the result is `good`, a remedy. */
  detail: string;
}

export function formatFinding({ result, part, detail }: Finding): string {
  return `${result.padEnd(8)}  ${part.padEnd(14)}  ${detail}`;
}

/** Describes an error by its innermost cause, because a message such as "fetch failed" does not help. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return describeFailure(error.cause);
  const code: unknown = Reflect.get(error, 'code');
  const message = error.message || (typeof code === 'string' ? code : error.name);
  // OpenSSL ends its messages with a line break.
  return message.replaceAll(/\s+/g, ' ').trim();
}
