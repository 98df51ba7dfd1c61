import { subscriberForms } from './subscriber-forms.ts';

/** Stands where the number of an erased person was. */
export const ERASED = 'erased';

/**
 * Returns keyed hashes of a text, one for each key of the service, the newest first: texts that begin with
 * `erased:` and the version of the key.
 */
export type HashErased = (text: string) => readonly string[];

/**
 * Returns what stands for an erased number in opt-outs: the same for every form of a subscriber, and another one in
 * each workspace.
 */
export function hashesOfSubscriber(
  hash: HashErased,
  workspaceId: string,
  number: string,
): readonly string[] {
  const [first = number] = subscriberForms(number).toSorted();
  return hash(`${workspaceId} ${first}`);
}
