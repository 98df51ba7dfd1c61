import { resolve } from 'node:path';
import { OptionsError, parseNumber, readArguments } from '@switchboard/testing';

export const USAGE = `npm run bench -- [scenario …] [--short]
  scenario         the scenarios to run (default: all)
  --short          runs the short form: all scenarios in about ten minutes
  --json FILE      writes the figures to this file
  --compare FILE   also shows the figures of an earlier run
  --profile DIR    writes CPU profiles of the processes under test to this folder
  --data DIR       keeps the messages of the history scenario in this folder for later runs
  --messages N     the number of messages of the history scenario (default: 10000000, with --short 200000)
  --list           lists the scenarios`;

export interface BenchOptions {
  scenarios: string[];
  short: boolean;
  list: boolean;
  jsonFile: string | null;
  compareFile: string | null;
  profileFolder: string | null;
  dataFolder: string | null;
  /** Null for the number that the scenario chooses. */
  messages: number | null;
}

const MIN_MESSAGES = 200_000;

/** @throws OptionsError with a sentence for the user */
export function parseOptions(args: string[], known: readonly string[]): BenchOptions {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: {
      short: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      json: { type: 'string' },
      compare: { type: 'string' },
      profile: { type: 'string' },
      data: { type: 'string' },
      messages: { type: 'string' },
    },
  });
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new OptionsError(`Unknown scenario ${unknown}. The scenarios are ${known.join(', ')}`);
  }
  const path = (value: string | undefined) => (value === undefined ? null : resolve(value));
  return {
    scenarios: positionals.length > 0 ? positionals : [...known],
    short: values.short,
    list: values.list,
    jsonFile: path(values.json),
    compareFile: path(values.compare),
    profileFolder: path(values.profile),
    dataFolder: path(values.data),
    messages:
      values.messages === undefined
        ? null
        : parseNumber('--messages', values.messages, MIN_MESSAGES),
  };
}
