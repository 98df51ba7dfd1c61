import { BODY_MAX_CHARACTERS, describeSegments } from '@switchboard/contracts';
import * as strings from '#strings/compose';
import { formatCount } from '../ui/format.ts';

const SHOWN_CHARACTERS = 12;

/** Shows the number of billed segments of a text, and which characters increase it. */
export function SegmentMeter({ body }: { body: string }) {
  const { encoding, segments, remaining, costly } = describeSegments(body);
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
            characters: <CostlyCharacters of={shown} />,
            more: costly.length - shown.length,
          })}
        </span>
      )}
    </>
  );
}

function CostlyCharacters({ of: characters }: { of: readonly string[] }) {
  return characters.map((character) => (
    <code
      key={character}
      className="mr-1 inline-block min-w-6 rounded bg-wait-soft px-1 text-center font-mono"
    >
      {character.trim() === '' ? codePoint(character) : character}
    </code>
  ));
}

/** Returns the code point of an invisible character, for example `U+00A0`. */
function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
