/** Why a command cannot go on, in words for the operator. It is printed without a stack trace. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
