import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LATEST_ACCEPTANCE, SECOND } from './assumptions.ts';
import { type AccountFate, createAccountsWorld } from './simulate-accounts.ts';

const pick = fc.nat({ max: 5 });

const fate: fc.Arbitrary<AccountFate> = fc.oneof(
  fc.record({
    kind: fc.constant('taken' as const),
    afterMs: fc.constantFrom(0, 20 * SECOND, LATEST_ACCEPTANCE),
    response: fc.constantFrom('accepted' as const, 'unknown' as const),
  }),
  fc.record({
    kind: fc.constant('not_taken' as const),
    response: fc.constantFrom(
      'unknown' as const,
      'unreachable' as const,
      'throttled' as const,
      'credentials' as const,
      'no_route' as const,
      'rejected' as const,
    ),
  }),
);

type World = ReturnType<typeof createAccountsWorld>;
type Step = { name: string; run(world: World): void };

const step = (name: string, run: Step['run']): Step => ({ name, run });
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.constant(step('claim', (w) => w.claim())),
  fc
    .tuple(pick, fate)
    .map(([n, f]) => step(`write(${n}, ${JSON.stringify(f)})`, (w) => w.write(n, f))),
  pick.map((n) => step(`report(${n})`, (w) => w.report(n))),
  pick.map((n) => step(`crash(${n})`, (w) => w.crash(n))),
  pick.map((n) => step(`callback(${n})`, (w) => w.callback(n))),
  pick.map((n) => step(`pause(${n})`, (w) => w.pause(n))),
  fc.constant(step('sweep', (w) => w.sweep())),
  pick.map((n) => step(`decide(${n})`, (w) => w.decideLookUp(n))),
  fc
    .constantFrom(1, 50, 61, 121, 400)
    .map((s) => step(`advance(${s} s)`, (w) => w.advance(s * SECOND))),
);

const evidence = fc.constantFrom('by_reference' as const, 'by_content' as const, 'none' as const);

function sends(accounts: number, switchesOnTimeout: boolean) {
  return fc.property(
    fc.array(evidence, { minLength: accounts, maxLength: accounts }),
    fc.array(steps, { maxLength: 60, size: 'max' }),
    (lookUps, chosen) => {
      const world = createAccountsWorld(lookUps, { switchesOnTimeout });
      for (const { run } of chosen) run(world);
      world.finish();
      expect(world.sent.length, 'sent more than once').toBeLessThanOrEqual(1);
      // Every message reaches a final state.
      expect(['accepted', 'rejected', 'unresolved']).toContain(world.row.dispatch);
    },
  );
}

test.each([2, 3])(
  'with %i accounts, any evidence and any interleaving, a message is sent at most once and reaches a final state',
  (accounts) => {
    expect(() => fc.assert(sends(accounts, false), { numRuns: 3_000 })).not.toThrow();
  },
);

test.each([2, 3])(
  'with %i accounts, a service that switches to another account after a timeout sends messages twice: the rule is necessary',
  (accounts) => {
    expect(fc.check(sends(accounts, true), { numRuns: 3_000 }).failed).toBe(true);
  },
);
