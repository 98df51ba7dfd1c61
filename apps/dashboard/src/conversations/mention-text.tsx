import type { Note } from '@switchboard/contracts';
import { Fragment } from 'react';
import { LinkedText } from '../ui/linked-text.tsx';

/** Shows the text of a note. Names of members are emphasized, and isolated from the direction of the text around them. */
export function MentionText(props: {
  note: Pick<Note, 'body' | 'mention_ranges'>;
  /** Whether web addresses are links. */
  isLinked: boolean;
}) {
  const { note, isLinked } = props;
  const { body, mention_ranges: ranges } = note;
  const show = (text: string) => (isLinked ? <LinkedText text={text} /> : text);
  const endOf = (index: number): number => {
    const range = ranges[index];
    return range === undefined ? 0 : range.start + 1 + range.name.length;
  };
  return (
    <>
      {ranges.map(({ start }, index) => (
        <Fragment key={start}>
          {show(body.slice(endOf(index - 1), start))}
          <bdi className="font-medium">{body.slice(start, endOf(index))}</bdi>
        </Fragment>
      ))}
      {show(body.slice(endOf(ranges.length - 1)))}
    </>
  );
}
