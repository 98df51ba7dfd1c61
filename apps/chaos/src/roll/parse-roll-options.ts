import { OptionsError, parseNumber, readArguments } from '@switchboard/testing';
import { PARTS, type Part, type RollOptions } from './run-roll.ts';

export const ROLL_USAGE = `npm run roll -- --rate 500
  --rate N             messages per second (default: 500)
  --only PART          replace: replaces each process; scale: adds and removes processes (default: both)
  --drain-ms N         DRAIN_MS of the APIs (default: 5000)
  --minutes-limit N    stops the run after N minutes (default: 15)
  --from RELEASE       starts this release, an archive of release:pack or a git revision, and upgrades
                       it to the working copy
  --keep DIR           always keeps logs, ledger and rows in this folder`;

/** @throws OptionsError with a sentence for the user */
export function parseRollOptions(args: string[]): RollOptions & { minutesLimit: number } {
  const { values } = readArguments({
    args,
    options: {
      only: { type: 'string' },
      rate: { type: 'string', default: '500' },
      'drain-ms': { type: 'string', default: '5000' },
      'minutes-limit': { type: 'string', default: '15' },
      from: { type: 'string' },
      keep: { type: 'string' },
    },
  });
  return {
    messagesPerSecond: parseNumber('--rate', values.rate),
    drainMs: parseNumber('--drain-ms', values['drain-ms']),
    minutesLimit: parseNumber('--minutes-limit', values['minutes-limit']),
    parts: values.only === undefined ? PARTS : [parsePart(values.only)],
    from: values.from ?? null,
    keep: values.keep ?? null,
  };
}

function parsePart(text: string): Part {
  const part = PARTS.find((one) => one === text);
  if (part === undefined) {
    throw new OptionsError(`--only must be ${PARTS.join(' or ')}, but is ${text}`);
  }
  return part;
}
