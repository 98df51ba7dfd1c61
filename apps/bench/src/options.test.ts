import { OptionsError } from '@switchboard/testing';
import { expect, test } from 'vitest';
import { parseOptions } from './options.ts';

const SCENARIOS = ['accept', 'history'];

test('--messages sets the number of messages', () => {
  const options = parseOptions(['history', '--messages', '40000000'], SCENARIOS);
  expect(options).toMatchObject({ scenarios: ['history'], messages: 40_000_000 });
  expect(parseOptions([], SCENARIOS).messages).toBeNull();
});

test.each(['199999', '1e6', '-1', '1.5', '', '99999999999999999999'])(
  '--messages %j is refused with an error that names it',
  (messages) => {
    expect(() => parseOptions([`--messages=${messages}`], SCENARIOS)).toThrow(
      new OptionsError(`--messages must be a whole number of 200000 or more, but is ${messages}`),
    );
  },
);
