import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createClosers } from './create-closers.ts';

test('resources are closed once, latest first, and an error of one does not stop the others', async () => {
  const closers = createClosers();
  const closed: string[] = [];
  for (const name of ['first', 'second', 'third']) {
    await closers.open(
      async () => name,
      async (opened) => {
        closed.push(opened);
        if (opened === 'second') throw new Error(`${opened} can’t be closed`);
      },
    );
  }
  const closing = [closers.close(), closers.close()];
  for (const each of await Promise.allSettled(closing)) {
    expect(each).toMatchObject({ reason: { message: 'second can’t be closed' } });
  }
  expect(closed).toEqual(['third', 'second', 'first']);
});

test('closing waits for a resource that is being opened, closes it, and rejects later opens', async () => {
  const closers = createClosers();
  const closed: string[] = [];
  const opening = closers.open(
    () => delay(20, 'late'),
    async (opened) => closed.push(opened),
  );
  await closers.close();
  expect([await opening, closed]).toEqual(['late', ['late']]);
  await expect(
    closers.open(
      async () => 0,
      async () => 0,
    ),
  ).rejects.toThrow('the run is closing');
});

test('a resource that failed to open is not closed', async () => {
  const closers = createClosers();
  const failing = closers.open(
    () => Promise.reject(new Error('no')),
    async () => expect.fail('it does not exist'),
  );
  await expect(failing).rejects.toThrow('no');
  await closers.close();
});
