import {
  BODY_MAX_CHARACTERS,
  type Gsm7Change,
  describeGsm7Change,
  describeSegments,
} from '@switchboard/contracts';
import { useQuery } from '@tanstack/react-query';
import * as strings from '#strings/compose';
import { useApi } from '../api/api-context.tsx';
import { workspaceQuery } from '../api/workspace-queries.ts';
import { formatCount } from '../ui/format.ts';

const SHOWN_CHARACTERS = 12;
const SHOWN_PAIRS = 8;

/**
 * Shows the number of billed segments of a text, which characters increase it, and what the service replaces if the
 * workspace prefers GSM-7. Otherwise it offers to replace these characters in the text itself.
 */
export function SegmentUse(props: {
  workspaceId: string;
  body: string;
  /** Whether the service must not replace anything. Default: false. */
  isAsIs?: boolean;
  /** Whether the message has media, with which no text is replaced. Default: false. */
  hasMedia?: boolean;
  onReplace(body: string): void;
}) {
  const { workspaceId, body, isAsIs = false, hasMedia = false, onReplace } = props;
  const { data: workspace } = useQuery(workspaceQuery(useApi(), workspaceId));
  const change = hasMedia ? null : describeGsm7Change(body);
  const isReplaced = change !== null && !isAsIs && workspace?.encoding === 'prefer_gsm7';
  const { encoding, segments, remaining, costly } = describeSegments(
    isReplaced ? change.text : body,
  );
  const shown = costly.slice(0, SHOWN_CHARACTERS).map(({ character }) => character);
  const describe =
    costly[0]?.cost === 'forces_ucs2' ? strings.reducingCharacters : strings.doubleCharacters;
  const tooMany = body.length - BODY_MAX_CHARACTERS;
  return (
    <>
      <span className="flex flex-wrap gap-x-3 tabular-nums" data-segments={segments}>
        <span>{strings.segments(segments)}</span>
        <span>{encoding}</span>
        <span>{strings.leftInSegment(remaining)}</span>
        <span className={tooMany > 0 ? 'font-medium text-bad' : ''}>
          {formatCount(body.length)} / {formatCount(BODY_MAX_CHARACTERS)}
        </span>
      </span>
      {costly.length > 0 && (
        <span className="mt-1.5 block text-wait">
          {describe({
            characters: <Characters of={shown} />,
            more: costly.length - shown.length,
          })}
        </span>
      )}
      {isReplaced && <Replaced change={change} />}
      {!isReplaced && change !== null && change.segmentsSaved > 0 && (
        <button
          type="button"
          className="mt-1.5 block text-left font-medium text-accent underline underline-offset-2"
          onClick={() => onReplace(change.text)}
        >
          {strings.usePlainCharacters(change.segmentsSaved)}
        </button>
      )}
    </>
  );
}

function Replaced({ change: { replaced, segmentsSaved } }: { change: Gsm7Change }) {
  const pairs = replaced.slice(0, SHOWN_PAIRS).map(({ character, by }) => (
    <span key={character} className="mr-2 inline-block">
      <Characters of={by === '' ? [character] : [character, by]} />
    </span>
  ));
  return (
    <span className="mt-1.5 block">
      {strings.sentWithPlainCharacters({
        pairs,
        more: replaced.length - pairs.length,
        saved: segmentsSaved,
      })}
    </span>
  );
}

function Characters({ of: characters }: { of: readonly string[] }) {
  return characters.map((character) => (
    <code
      key={character}
      className="mr-1 inline-block min-w-6 rounded bg-wait-soft px-1 text-center font-mono"
    >
      {isVisible(character) ? character : codePoint(character)}
    </code>
  ));
}

const isVisible = (character: string): boolean => /[^\s\p{Cf}\p{Cc}]/u.test(character);

/** Returns the code point of an invisible character, for example `U+00A0`. */
function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
