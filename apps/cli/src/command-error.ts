/** An error with a message for the operator. It is printed without a stack trace. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
