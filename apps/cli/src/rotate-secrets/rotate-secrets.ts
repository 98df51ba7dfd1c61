import { type SecretBox, SecretBoxError, type SecretOwner } from '@switchboard/runtime';

const BATCH = 200;

export interface Rotation {
  /** All rows with secrets in the database. */
  total: number;
  /** The rows that this run encrypted with the first key, or would encrypt without `isDryRun`. */
  rotated: number;
  /** `owner`: for example `workspace` or `user` with its id. */
  unreadable: { owner: string; reason: string }[];
}

/** Rows with secrets of one kind. */
export interface SealedRows<Row, Replacement> {
  /** Lists the next rows, in the order of their keys. */
  list(after: Row | null, limit: number): Promise<Row[]>;
  ownerOf(row: Row): SecretOwner;
  /** Seals each secret of the row again. */
  sealAgain(row: Row, seal: (sealed: string) => string): Replacement;
  /** Replaces the rows that are unchanged since they were read. Returns their number. */
  replace(replacements: readonly Replacement[]): Promise<number>;
  /** Describes a row whose secrets cannot be decrypted. */
  describe(row: Row, reason: string): Rotation['unreadable'][number];
}

/**
 * Encrypts secrets that are sealed with an older key with the first key. One statement writes a batch, and replaces a
 * row only if the row is unchanged since it was read. If an owner or another run has changed a row, the batch is read
 * again.
 */
export async function rotateSecrets<Row, Replacement>(
  rows: SealedRows<Row, Replacement>,
  { secretBox, isDryRun }: { secretBox: SecretBox; isDryRun: boolean },
): Promise<Rotation> {
  const rotation: Rotation = { total: 0, rotated: 0, unreadable: [] };
  let after: Row | null = null;

  for (;;) {
    const batch: Row[] = await rows.list(after, BATCH);
    const last = batch.at(-1);
    if (last === undefined) return rotation;

    const replacements: Replacement[] = [];
    const unreadable: Rotation['unreadable'] = [];
    for (const row of batch) {
      const result = sealRow(rows, row, secretBox);
      if ('reason' in result) unreadable.push(rows.describe(row, result.reason));
      else if (!result.isNewest) replacements.push(result.replacement);
    }
    const replaced =
      replacements.length === 0 || isDryRun
        ? replacements.length
        : await rows.replace(replacements);
    rotation.rotated += replaced;
    if (replaced < replacements.length) continue;

    rotation.total += batch.length;
    rotation.unreadable.push(...unreadable);
    after = last;
  }
}

/** Secrets with the first key's version are decrypted too, because another key may have had it. */
function sealRow<Row, Replacement>(
  rows: SealedRows<Row, Replacement>,
  row: Row,
  secretBox: SecretBox,
): { isNewest: boolean; replacement: Replacement } | { reason: string } {
  const owner = rows.ownerOf(row);
  let isNewest = true;
  try {
    const replacement = rows.sealAgain(row, (sealed) => {
      if (!secretBox.isSealedByNewest(sealed)) isNewest = false;
      return secretBox.seal(secretBox.open(sealed, owner), owner);
    });
    return { isNewest, replacement };
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    return { reason: error.message };
  }
}
