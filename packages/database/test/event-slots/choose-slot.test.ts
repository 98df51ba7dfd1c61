import { MAX_EVENT_SLOT, START_OF_EVENTS, slotOf } from '@switchboard/core';
import { expect, test } from 'vitest';
import { type Process, accept, readAll, start, useProcesses } from './environment.ts';

useProcesses();

const slotOfProcess = ({ database }: Process): number => database.numbering.value;

test('processes that report themselves number events in their own slots', async () => {
  const processes = [start(0), start(0), start(0)];
  for (const process of processes) await process.report();
  for (const process of processes) await accept(process);
  const { events } = await readAll(START_OF_EVENTS, 10);
  expect(new Set(events.map(({ seq }) => slotOf(seq)))).toEqual(new Set([1, 2, 3]));
  expect(events).toHaveLength(3);
});

test('the slot of a process that has stopped, crashed or frozen is used by the next process', async () => {
  const [first, stopped, frozen] = [start(0), start(0), start(0)];
  for (const process of [first, stopped, frozen]) await process.report();
  await stopped.leave();
  const next = start(0);
  await next.report();
  expect(slotOfProcess(next)).toBe(2);

  const { pool } = first.database;
  await pool.query(
    `UPDATE running_processes SET seen_at = now() - interval '61 seconds' WHERE slot = 3`,
  );
  const late = start(0);
  await late.report();
  expect(slotOfProcess(late)).toBe(3);
  // The frozen process continues. It was first, so the other process moves to another slot.
  await frozen.report();
  await late.report();
  expect([slotOfProcess(frozen), slotOfProcess(late)]).toEqual([3, 4]);
});

test('when several processes choose the same slot at the same time, all but the first choose other slots', async () => {
  const processes = [start(0), start(0), start(0), start(0)];
  for (const process of processes) await process.report();
  const { pool } = processes[0]?.database ?? start(0).database;
  await pool.query('UPDATE running_processes SET slot = 1');
  // All read the same rows, as reports at the same time do.
  const slots: number[] = [];
  for (const process of processes) {
    await process.report();
    slots.push(slotOfProcess(process));
    await pool.query('UPDATE running_processes SET slot = 1');
  }
  expect(slots).toEqual([1, 2, 3, 4]);
});

test('processes share slots if there are more processes than slots', async () => {
  const processes = Array.from({ length: 2 }, () => start(0));
  const [first] = processes;
  await first?.database.pool.query(
    `INSERT INTO running_processes (id, role, host, pid, key_ids, started_at, seen_at, slot)
     SELECT gen_random_uuid(), 'api', 'h', n, '{}', now(), now(), n FROM generate_series(1, $1) n`,
    [MAX_EVENT_SLOT],
  );
  for (const process of processes) {
    await process.report();
    await process.report();
    expect(slotOfProcess(process)).toBeGreaterThanOrEqual(1);
    expect(slotOfProcess(process)).toBeLessThanOrEqual(MAX_EVENT_SLOT);
    await accept(process);
  }
  expect((await readAll(START_OF_EVENTS, 10)).events).toHaveLength(2);
});
