import { BODY_MAX_CHARACTERS, describeSegments } from '@switchboard/contracts';
import { formatCount, plural } from '../ui/format.ts';

const SHOWN_CHARACTERS = 12;

/** Shows the number of billed segments of a text, and which characters increase it. */
export function SegmentMeter({ body }: { body: string }) {
  const { encoding, segments, remaining, costly } = describeSegments(body);
  const tooMany = body.length - BODY_MAX_CHARACTERS;
  return (
    <>
      <span className="flex flex-wrap gap-x-3 tabular-nums" data-segments={segments}>
        <span>{plural(segments, 'segment')}</span>
        <span>{encoding}</span>
        <span>{formatCount(remaining)} left in this segment</span>
        <span className={tooMany > 0 ? 'font-medium text-bad' : ''}>
          {formatCount(body.length)} / {formatCount(BODY_MAX_CHARACTERS)}
        </span>
      </span>
      {costly.length > 0 && (
        <span className="mt-1.5 block text-wait">
          {costly[0]?.cost === 'forces_ucs2'
            ? 'These characters reduce each segment from 160 to 70 characters: '
            : 'These characters count twice: '}
          {costly.slice(0, SHOWN_CHARACTERS).map(({ character }) => (
            <code
              key={character}
              className="mr-1 inline-block min-w-6 rounded bg-wait-soft px-1 text-center font-mono"
            >
              {character.trim() === '' ? codePoint(character) : character}
            </code>
          ))}
          {costly.length > SHOWN_CHARACTERS && `and ${costly.length - SHOWN_CHARACTERS} more`}
        </span>
      )}
    </>
  );
}

/** Returns the code point of an invisible character, for example `U+00A0`. */
function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
