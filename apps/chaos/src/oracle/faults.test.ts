import type { LedgerLine } from '@switchboard/testing';
import { describe, expect, test } from 'vitest';
import type { FaultRecord } from '../nemesis/run-faults.ts';
import type { InboundRecord } from '../senders/receive-messages.ts';
import type { SendRecord } from '../senders/send-messages.ts';
import { checkClocks } from './check-clocks.ts';
import { checkDelays } from './check-delays.ts';
import { checkErased } from './check-erased.ts';
import { checkInbound } from './check-inbound.ts';
import { checkOutages } from './check-outages.ts';
import type { StoredInbound, StoredMessage } from './read-database.ts';

const PLANNED = {
  key: 'k',
  workspace: 1,
  to: '+1',
  body: 'Hello',
  mediaUrls: [],
  atMs: 0,
  repeats: 0,
  waitSeconds: 0,
  givesUp: false,
};

function sent(atMs: number, durationMs: number, api = 1): SendRecord {
  return { planned: PLANNED, attempts: [{ status: 201, text: '{}', api, atMs, durationMs }] };
}

describe('inbound messages', () => {
  const LINE = {
    sid: 'SM1',
    provider: 'twilio',
    account_sid: 'A',
    to: '+9',
    from: '+1',
    body: 'Stop',
  };
  const ROW: StoredInbound = {
    id: 'one',
    workspaceId: 'W',
    from: '+1',
    body: 'Stop',
    providerSid: 'SM1',
    optedOut: true,
    createdAt: new Date(0),
  };
  const tried = (attempts: number): InboundRecord => ({
    delivery: { sid: 'SM1', status: 503, attempts },
    fromMs: 0,
    toMs: 5_000,
  });
  const judge = (rows: StoredInbound[], record = tried(6)) =>
    checkInbound([LINE], rows, [record]).violations.map(({ check }) => check);

  test('one row for each inbound message and an opt-out for a STOP are not a violation', () => {
    expect(judge([ROW])).toEqual([]);
  });

  test('an inbound message that is stored twice, with changes or without its opt-out is a violation', () => {
    expect(judge([ROW, { ...ROW, id: 'two' }])).toEqual(['inbound']);
    expect(judge([{ ...ROW, body: 'Sto' }])).toEqual(['inbound']);
    expect(judge([{ ...ROW, optedOut: false }])).toEqual(['inbound']);
    expect(judge([ROW, { ...ROW, providerSid: 'SM2' }])).toEqual(['inbound']);
  });

  test('an inbound message that is not stored is a violation, even if the carrier stopped retrying its webhook', () => {
    expect(judge([])).toEqual(['inbound']);
    expect(judge([], tried(0))).toEqual(['inbound']);
    expect(checkInbound([LINE], [ROW], [tried(6)]).givenUp).toBe(1);
  });

  test('a message over SMPP is stored once under any identifier, and may be lost only if the SMSC stopped its retries', () => {
    const judgeSmpp = (rows: StoredInbound[], status: number | null) =>
      checkInbound([{ ...LINE, provider: 'smpp' }], rows, [
        { delivery: { sid: 'SM1', status, attempts: 3 }, fromMs: 0, toMs: 5_000 },
      ]).violations.map(({ check }) => check);
    const row = { ...ROW, providerSid: 'ours' };
    expect(judgeSmpp([row], 200)).toEqual([]);
    expect(judgeSmpp([], null)).toEqual([]);
    expect(judgeSmpp([], 200)).toEqual(['inbound']);
    expect(judgeSmpp([row, { ...row, providerSid: 'again' }], null)).toEqual(['inbound']);
  });
});

describe('an outage of the provider', () => {
  const OUTAGE: FaultRecord = {
    fault: { kind: 'provider_errors', provider: 'twilio', forMs: 16_000 },
    fromMs: 0,
    toMs: 16_000,
  };
  const ROW = { id: 'one', dispatch: 'accepted', resends: 0, errorCode: null } as StoredMessage;
  const calls = (count: number, atMs: number) =>
    Array.from({ length: count }, () => ({
      workspaceId: 'W',
      messageId: 'one',
      provider: 'twilio',
      at: new Date(atMs),
    }));
  const judge = (row: Partial<StoredMessage>, attempts: ReturnType<typeof calls>) =>
    checkOutages([OUTAGE], [{ ...ROW, ...row }], attempts).length;

  test('probes during an outage, refusals of the message itself, and calls before and after are not violations', () => {
    expect(judge({}, [...calls(99, 1_000), ...calls(5, 8_000), ...calls(99, 17_000)])).toBe(0);
    expect(judge({ dispatch: 'rejected', errorCode: '21211' }, [])).toBe(0);
    expect(judge({ dispatch: 'unresolved', resends: 1 }, calls(1, 18_000))).toBe(0);
  });

  test('a message that fails in an outage, a resend during it and continued calls are violations', () => {
    expect(judge({ dispatch: 'rejected', errorCode: 'provider_unreachable' }, [])).toBe(1);
    expect(judge({ dispatch: 'unresolved', resends: 1 }, calls(1, 11_000))).toBe(1);
    expect(judge({}, calls(60, 8_000))).toBe(1);
  });

  test('calls count from the time when one worker has run for long enough to detect the outage', () => {
    const stop = (kind: 'kill' | 'freeze', target: string, fromMs: number, toMs: number) =>
      ({ fault: { kind, target, forMs: 0, downMs: 0 }, fromMs, toMs }) as FaultRecord;
    const frozen = [stop('freeze', 'worker-1', 500, 6_000), stop('kill', 'worker-2', 100, 4_000)];
    const again = stop('freeze', 'worker-2', 5_000, 9_000);
    const judgeStopped = (stops: FaultRecord[], atMs: number) =>
      checkOutages([OUTAGE, ...stops], [ROW], calls(60, atMs)).length;

    expect(judgeStopped([...frozen, again], 10_500)).toBe(0);
    expect(judgeStopped([...frozen, again], 11_500)).toBe(1);
    // The second worker continues and detects the outage.
    expect(judgeStopped(frozen, 9_500)).toBe(1);
    // No worker sends without a database.
    const noDatabase = {
      fault: { kind: 'postgres_restart', downMs: 0 },
      fromMs: 500,
      toMs: 6_000,
    } as const;
    expect(judgeStopped([noDatabase], 10_500)).toBe(0);
    expect(judgeStopped([noDatabase], 11_500)).toBe(1);
    // A worker that stops later changes nothing.
    expect(judgeStopped([stop('freeze', 'worker-1', 3_000, 9_000)], 8_000)).toBe(1);
  });
});

test('a frozen API that slows down the others is a violation', () => {
  const fault = { kind: 'freeze_receiving', target: 'api-1', workspace: 0, forMs: 11_000 } as const;
  const judge = (records: SendRecord[]) =>
    checkDelays([{ fault, fromMs: 1_000, toMs: 12_000 }], records, ['api-1', 'api-2']).length;
  expect(judge([sent(0, 20), sent(2_000, 400)])).toBe(0);
  expect(judge([sent(0, 20), sent(2_000, 9_000)])).toBe(1);
  expect(judge([sent(0, 3_000), sent(2_000, 9_000)])).toBe(0);
  // A request that the frozen process accepted.
  expect(judge([sent(0, 20), sent(2_000, 9_000, 0)])).toBe(0);
});

test('a message with a creation time outside its request is a violation', () => {
  const judge = (madeMs: number) =>
    checkClocks([sent(10_000, 50)], [], {
      messages: [{ id: 'one', createdAt: new Date(madeMs) } as StoredMessage],
      inbound: [],
      keys: [{ workspaceId: 'W', key: 'k', messageId: 'one' }],
    }).length;
  expect([judge(10_020), judge(10_020 - 300_000), judge(10_020 + 300_000)]).toEqual([0, 1, 1]);
});

test('an inbound message may be created later than its delivery only if the carrier’s last attempt got no response', () => {
  const judge = (madeMs: number, status: number | null) =>
    checkClocks([], [{ delivery: { sid: 'SM1', status, attempts: 4 }, fromMs: 0, toMs: 10_000 }], {
      messages: [],
      inbound: [{ id: 'one', providerSid: 'SM1', createdAt: new Date(madeMs) } as StoredInbound],
      keys: [],
    }).length;
  expect([judge(17_000, null), judge(17_000, 200), judge(60_000, null)]).toEqual([0, 1, 1]);
});

test('a message that a restore erased may be sent once, but not twice', () => {
  const line: LedgerLine = {
    sid: 'SM1',
    account_sid: 'B',
    to: '+1',
    body: 'Hello',
    sent_body: 'Hello',
    media_urls: [],
    accepted_at: '',
  };
  const other = { ...line, body: 'Other' };
  const judge = (...lines: LedgerLine[]) => checkErased(lines, [sent(0, 1)], ['A', 'B']);
  expect(judge(line, other)).toEqual({ violations: [], others: [other] });
  expect(judge(line, { ...line, sid: 'SM2' }).violations).toHaveLength(1);
});
