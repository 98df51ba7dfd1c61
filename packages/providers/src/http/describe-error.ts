/** Describes an error by code and address; these errors contain no data of the request. */
export function describeError(error: unknown): string {
  // Node wraps the failures of several addresses of one name; the first one is reported.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const { message, code } = first as { message: string; code?: string };
  const text = message === '' ? 'The connection failed' : message;
  return code === undefined || text.includes(code) ? text : `${text} (${code})`;
}
