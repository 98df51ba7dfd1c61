import { decideLookUp } from '../../src/dispatch/decide-lookup.ts';
import { decideOutcome, decideUnknown } from '../../src/dispatch/decide-outcome.ts';
import type { Decision, DispatchRow } from '../../src/dispatch/dispatch-row.ts';
import { decideDirectEvidence } from '../../src/dispatch/evidence.ts';
import type { ProviderEvidence } from '../../src/ports/message-look-up.ts';
import type { CallOutcome } from '../../src/ports/send-outcome.ts';
import { chooseRoute, listRoutes } from '../../src/routing/choose-account.ts';
import type { Routing } from '../../src/routing/routing.ts';
import { CALL_TIMEOUT, LEASE, LOOK_UP_SLACK, SECOND, policy } from './assumptions.ts';
import { message, row as sample } from './samples.ts';

/** What a provider does with a request. */
export type AccountFate =
  | { kind: 'taken'; afterMs: number; response: 'accepted' | 'unknown' }
  | {
      kind: 'not_taken';
      response: 'unknown' | 'unreachable' | 'throttled' | 'credentials' | 'no_route' | 'rejected';
    };

interface AccountCall {
  account: string;
  attempt: number;
  claimedAt: number;
  outcome: CallOutcome | null;
}

interface Sent {
  sid: string;
  account: string;
  /** When the provider begins to list the message. */
  at: number;
}

/** One message, and accounts that offer different evidence. */
export function createAccountsWorld(
  lookUps: readonly ProviderEvidence['lookUp'][],
  { switchesOnTimeout }: { switchesOnTimeout: boolean },
) {
  let now = 1_000_000 * SECOND;
  const paused = new Set<string>();
  const names = lookUps.map((_, index) => `AC${index}`);
  const sent: Sent[] = [];
  let calls: AccountCall[] = [];
  let lists: { version: number; list: Sent[] }[] = [];
  let row: DispatchRow = sample({
    attempt: 0,
    version: 0,
    dispatch: 'ready',
    providerId: null,
    vendorAccountId: null,
  });
  let [notBefore, startedAt, firstAttemptAt] = [now, 0, now];
  let dueAt: number | null = now;

  const routing = (): Routing => ({
    accounts: names.map((account, index) => ({
      id: account,
      vendorAccountId: account,
      type: 'test',
      isDefault: index === 0,
      isPaused: paused.has(account),
      recoveredForMs: null,
      hasSenderPool: false,
      senders: [{ number: `+1415555010${index}`, kind: 'long_code', isDefault: index === 0 }],
    })),
    rules: [],
    failover: true,
  });
  const routed = () => ({ ...row, to: '+14155550199', conversationSender: null, hasMedia: false });
  const alternatives = () =>
    listRoutes(routing(), routed())
      .filter(({ account }) => !account.isPaused)
      .map(({ account }) => account.vendorAccountId);

  function apply(decide: (row: DispatchRow) => Decision): void {
    const times = { triedForMs: now - firstAttemptAt, inDoubtForMs: now - startedAt };
    const { change } = decide({ ...row, ...times });
    if (change === null) return;
    row = { ...row, ...change.next, version: row.version + 1 };
    if (change.notBeforeInMs !== null) notBefore = now + change.notBeforeInMs;
    dueAt = change.dueInMs === null ? null : now + change.dueInMs;
  }

  const world = {
    sent,
    get row() {
      return row;
    },
    advance(ms: number) {
      now += ms;
    },
    pause(pick: number) {
      const name = names[pick % names.length] ?? '';
      if (!paused.delete(name)) paused.add(name);
    },
    claim() {
      if (row.dispatch !== 'ready' || notBefore > now) return;
      const route = chooseRoute(routing(), routed());
      if (route === null) return;
      const { vendorAccountId: account } = route.account;
      if (row.attempt === 0) firstAttemptAt = now;
      if (row.resends === 0) startedAt = now;
      const { attempt, version } = row;
      row = {
        ...row,
        dispatch: 'inflight',
        attempt: attempt + 1,
        version: version + 1,
        providerId: account,
        vendorAccountId: account,
        from: route.from,
      };
      dueAt = now + LEASE;
      calls.push({ account, attempt: row.attempt, claimedAt: now, outcome: null });
    },
    write(pick: number, fate: AccountFate) {
      const waiting = calls.filter((call) => call.outcome === null);
      const call = waiting[pick % waiting.length];
      if (call === undefined) return;
      if (now > call.claimedAt + LEASE - CALL_TIMEOUT) {
        call.outcome = notSent('lease_expired');
        return;
      }
      if (fate.kind === 'taken') {
        const taken = { sid: `SM${sent.length}`, account: call.account, at: now + fate.afterMs };
        sent.push(taken);
        call.outcome =
          fate.response === 'accepted' && fate.afterMs === 0
            ? {
                kind: 'accepted',
                message: message({ sid: taken.sid, vendorAccountId: call.account }),
              }
            : unknown();
        return;
      }
      call.outcome = toOutcome(fate.response);
    },
    report(pick: number) {
      const known = calls.filter((call) => call.outcome !== null);
      const call = known[pick % known.length];
      if (call?.outcome == null) return;
      const { attempt, outcome } = call;
      calls = calls.filter((other) => other !== call);
      apply((now_) => decideOutcome(now_, attempt, outcome, policy, alternatives()));
    },
    crash(pick: number) {
      const call = calls[pick % calls.length];
      calls = calls.filter((other) => other !== call);
    },
    callback(pick: number) {
      const visible = sent.filter(({ at }) => at <= now);
      const one = visible[pick % visible.length];
      if (one === undefined) return;
      const evidence = message({ sid: one.sid, vendorAccountId: one.account, status: 'sent' });
      apply((now_) => decideDirectEvidence(now_, evidence, policy, 'callback'));
    },
    sweep() {
      if (dueAt === null || dueAt > now) return;
      const { attempt, version } = row;
      if (row.dispatch === 'inflight') apply((now_) => decideUnknown(now_, attempt, '', policy));
      else if (row.dispatch === 'unknown') {
        dueAt = now + LEASE;
        const list = sent.filter(
          (one) =>
            one.account === row.vendorAccountId &&
            one.at <= now &&
            one.at >= startedAt - LOOK_UP_SLACK,
        );
        lists.push({ version, list });
      }
    },
    decideLookUp(pick: number) {
      const found = lists[pick % lists.length];
      if (found === undefined) return;
      lists = lists.filter((other) => other !== found);
      if (row.version !== found.version) return;
      const lookUp = lookUps[names.indexOf(row.vendorAccountId ?? '')] ?? 'none';
      const proof = lookUp === 'none' ? 'by_content' : lookUp;
      const messages = found.list.map(({ sid, account, at }) =>
        message({ sid, vendorAccountId: account, createdAt: new Date(at) }),
      );
      const outcome =
        lookUp === 'none'
          ? ({ kind: 'unavailable', detail: '' } as const)
          : ({ kind: 'found', messages } as const);
      apply((now_) => decideLookUp(now_, outcome, { undecided: 0, held: 0 }, policy, { proof }));
    },
    /** Loses the state of all processes. Then every account works for long enough to finish. */
    finish() {
      calls = [];
      lists = [];
      paused.clear();
      for (let round = 0; round < 100; round += 1) {
        world.advance(3_600 * SECOND);
        world.sweep();
        world.decideLookUp(0);
        world.claim();
        world.write(0, { kind: 'taken', afterMs: 0, response: 'accepted' });
        world.report(0);
      }
      // Without a lookup, an unknown outcome ends when the service gives up.
      world.advance(policy.giveUpAfterMs);
      world.sweep();
      world.decideLookUp(0);
    },
  };
  return world;

  function unknown(): CallOutcome {
    return switchesOnTimeout ? notSent('unreachable') : { kind: 'unknown', detail: '' };
  }

  function toOutcome(
    response: Extract<AccountFate, { kind: 'not_taken' }>['response'],
  ): CallOutcome {
    switch (response) {
      case 'unknown':
        return unknown();
      case 'no_route':
        return { kind: 'rejected', code: '1', detail: '', isOptOut: false, isAccountOnly: true };
      case 'rejected':
        return { kind: 'rejected', code: '2', detail: '', isOptOut: false };
      default:
        return notSent(response);
    }
  }
}

function notSent(
  reason: 'lease_expired' | 'unreachable' | 'throttled' | 'credentials',
): CallOutcome {
  return { kind: 'not_sent', reason, retryAfterMs: null, code: null, detail: '' };
}
