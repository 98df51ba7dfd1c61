/** Describes a connection error by its code and address. These errors contain no request data. */
export function describeError(error: unknown): string {
  // If a host name has several addresses, Node reports one error for each. Only the first is described.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const { message, code } = first as { message: string; code?: string };
  const text = message === '' ? 'The connection failed' : message;
  return code === undefined || text.includes(code) ? text : `${text} (${code})`;
}
