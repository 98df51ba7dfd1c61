import { OptionsError, PROVIDERS, parseNumber, readArguments } from '@switchboard/testing';
import type { ChaosOptions } from './run-chaos.ts';

export const USAGE = `npm run chaos -- --seed 1 --messages 2000 --backend redis
  --seed N             determines the messages, the faults and their times (default: 1)
  --messages N         number of messages (default: 200); 1000 or more cause all faults
  --backend NAME       redis or postgres (default: postgres)
  --minutes-limit N    stops the run after N minutes (default: 15)
  --providers N        provider accounts of each workspace: 1 is Twilio, 2 adds Telnyx, 3 SMPP, 4 Vonage (default: 1)
  --keep DIR           always keeps logs, ledger and rows in this folder
  --negative-control   the carrier accepts after the hold, so the oracle must find duplicates`;

/** @throws OptionsError with a sentence for the user */
export function parseOptions(args: string[]): ChaosOptions {
  const { values } = readArguments({
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
  });
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
