import { parseArgs } from 'node:util';
import { PROVIDERS } from './carrier.ts';
import type { ChaosOptions } from './run-chaos.ts';

export const USAGE = `npm run chaos -- --seed 1 --messages 2000 --backend redis
  --seed N             determines the messages, the faults and their times (default: 1)
  --messages N         number of messages (default: 200); 1000 or more cause all faults
  --backend NAME       redis or postgres (default: postgres)
  --minutes-limit N    stops the run after N minutes (default: 15)
  --providers N        provider accounts of each workspace: 1 is Twilio, 2 adds Telnyx, 3 SMPP, 4 Vonage (default: 1)
  --keep DIR           always keeps logs, ledger and rows in this folder
  --negative-control   the carrier accepts after the hold, so the oracle must find duplicates`;

export class OptionsError extends Error {
  override readonly name = 'OptionsError';
}

/** @throws OptionsError with a sentence for the user */
export function parseOptions(args: string[]): ChaosOptions {
  const { values } = readArguments(() =>
    parseArgs({
      args,
      options: {
        seed: { type: 'string', default: '1' },
        messages: { type: 'string', default: '200' },
        backend: { type: 'string', default: 'postgres' },
        'minutes-limit': { type: 'string', default: '15' },
        providers: { type: 'string', default: '1' },
        keep: { type: 'string' },
        'negative-control': { type: 'boolean', default: false },
      },
    }),
  );
  const { backend } = values;
  if (backend !== 'redis' && backend !== 'postgres') {
    throw new OptionsError(`--backend must be redis or postgres, but is ${backend}`);
  }
  const providers = parseNumber('--providers', values.providers);
  if (providers > PROVIDERS.length) {
    throw new OptionsError(`--providers must be 1 to ${PROVIDERS.length}, but is ${providers}`);
  }
  return {
    backend,
    providers: PROVIDERS.slice(0, providers),
    seed: parseNumber('--seed', values.seed),
    messages: parseNumber('--messages', values.messages),
    minutesLimit: parseNumber('--minutes-limit', values['minutes-limit']),
    keep: values.keep ?? null,
    negativeControl: values['negative-control'],
  };
}

/** @throws OptionsError for arguments that `parseArgs` refuses */
export function readArguments<Values>(read: () => Values): Values {
  try {
    return read();
  } catch (cause) {
    throw new OptionsError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** @throws OptionsError */
export function parseNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new OptionsError(`${name} must be a whole number of 1 or more, but is ${text}`);
  }
  return Number(text);
}
