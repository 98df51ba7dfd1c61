import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SECOND, LATEST_ACCEPTANCE, type Fate } from './assumptions.ts';
import { createWorld, type World } from './simulate-world.ts';

const pick = fc.nat({ max: 7 });
const fate = (latestMs: number): fc.Arbitrary<Fate> =>
  fc.oneof(
    fc.record({
      kind: fc.constant('taken' as const),
      afterMs: fc.constantFrom(0, 20 * SECOND, 200 * SECOND, latestMs),
      response: fc.constantFrom('accepted' as const, 'unknown' as const),
    }),
    fc.record({
      kind: fc.constant('not_taken' as const),
      response: fc.constantFrom('unknown' as const, 'throttled' as const, 'rejected' as const),
    }),
  );

function command(name: string, run: (world: World) => Promise<void> | void) {
  return {
    check: () => true,
    async run(_model: object, world: World) {
      await run(world);
      // Equal texts are interchangeable. The number of sends must not exceed the number of requests.
      expect(world.messages.length, 'sent more often than requested').toBeLessThanOrEqual(
        world.rows.size,
      );
    },
    toString: () => name,
  };
}

const steps = (latestMs: number) => [
  fc
    .constantFrom('resend' as const, 'fail' as const)
    .map((on) => command(`accept(${on})`, (w) => w.accept(on))),
  pick.map((n) => command(`claim(${n})`, (w) => w.claim(n))),
  fc
    .tuple(pick, fate(latestMs))
    .map(([n, f]) => command(`write(${n}, ${JSON.stringify(f)})`, (w) => w.write(n, f))),
  pick.map((n) => command(`report(${n})`, (w) => w.report(n))),
  pick.map((n) => command(`crash(${n})`, (w) => w.crash(n))),
  pick.map((n) => command(`callback(${n})`, (w) => w.callback(n))),
  fc.constant(command('sweep', (w) => w.sweep())),
  pick.map((n) => command(`decideLookUp(${n})`, (w) => w.decideLookUp(n))),
  fc.constant(command('breakDown', (w) => w.breakDown())),
  fc.constant(command('recover', (w) => w.recover())),
  fc
    .constantFrom(1, 20, 50, 61, 121, 400)
    .map((s) => command(`advance(${s} s)`, (w) => w.advance(s * SECOND))),
];

function property(withCallbacks: boolean, latestMs: number) {
  const sequences = fc.commands(steps(latestMs), { maxCommands: 60, size: 'max' });
  return fc.asyncProperty(sequences, async (commands) => {
    const world = createWorld();
    const allowed = withCallbacks
      ? commands
      : [...commands].filter((one) => !one.toString().startsWith('callback'));
    await fc.asyncModelRun(() => ({ model: {}, real: world }), allowed);
    // First the result of lookups alone, then the result of direct evidence.
    await world.finishAll(false);
    if (withCallbacks) await world.finishAll(true);

    const all = [...world.rows.values()];
    const accepted = all.filter((row) => row.dispatch === 'accepted');
    expect(world.messages.length, 'sent more often than requested').toBeLessThanOrEqual(all.length);
    // Every text that was sent belongs to one row, and every accepted row has an identifier of its own.
    expect(new Set(accepted.map((row) => row.providerSid)).size).toBe(accepted.length);
    expect(world.messages.length, 'a text that no row owns').toBe(accepted.length);
    if (withCallbacks) {
      // Direct evidence counts, whichever row had adopted the identifier before.
      for (const { rowId } of world.messages) {
        expect(world.rows.get(rowId)?.dispatch, `sent, but not accepted: ${rowId}`).toBe(
          'accepted',
        );
      }
    }
    for (const row of all) {
      if (row.dispatch === 'accepted') continue;
      expect(['rejected', 'unresolved'], row.id).toContain(row.dispatch);
      // A message fails only if the owner chose so, or after its one resend.
      const mayGiveUp =
        row.dispatch === 'rejected' || row.onUnknown === 'fail' || row.resends === 1;
      expect(mayGiveUp, row.id).toBe(true);
    }
  });
}

test.each([
  ['with callbacks that arrive in the end', true],
  ['without any callback', false],
])(
  'after random faults in random order, %s, no message is sent more often than requested, and none stays unsent because another row holds its identifier',
  async (_name, withCallbacks) => {
    const proof = fc.assert(property(withCallbacks, LATEST_ACCEPTANCE), { numRuns: 2_000 });
    await expect(proof).resolves.toBeUndefined();
  },
);

test('a provider outage of any length fails no message: all are sent once the provider answers again', async () => {
  const failing = fc.constantFrom(
    { kind: 'taken', afterMs: 0, response: 'unknown' } as const,
    { kind: 'not_taken', response: 'unknown' } as const,
  );
  const during = [
    fc.constant(command('accept', (w) => w.accept('resend'))),
    fc.tuple(pick, failing).map(([n, f]) =>
      command('send', async (w) => {
        w.claim(n);
        w.write(0, f);
        await w.report(0);
      }),
    ),
    pick.map((n) => command(`claim(${n})`, (w) => w.claim(n))),
    pick.map((n) => command(`crash(${n})`, (w) => w.crash(n))),
    fc.constant(
      command('look up', async (w) => {
        w.advance(400 * SECOND);
        await w.sweep();
        for (let i = 0; i < w.rows.size; i += 1) await w.decideLookUp(0);
      }),
    ),
  ];
  const sequences = fc.commands(during, { maxCommands: 80, size: 'max' });
  const outage = fc.asyncProperty(sequences, async (commands) => {
    const world = createWorld();
    world.breakDown();
    await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
    await world.finishAll(false);
    const all = [...world.rows.values()];
    expect(all.filter((row) => row.dispatch !== 'accepted')).toEqual([]);
    expect(world.messages).toHaveLength(all.length);
  });
  await expect(fc.assert(outage, { numRuns: 500 })).resolves.toBeUndefined();
});

test('a provider that accepts a message after the end of the hold causes a duplicate: the assumption is necessary', async () => {
  const afterTheHold = 2_000 * SECOND;
  const { failed } = await fc.check(property(false, afterTheHold), { numRuns: 1_000 });
  expect(failed).toBe(true);
});
