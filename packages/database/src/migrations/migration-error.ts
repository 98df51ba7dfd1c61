/** A migration run that can't go on; the message is one sentence for the operator. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}
