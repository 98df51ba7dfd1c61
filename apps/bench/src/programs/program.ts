import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import { join } from 'node:path';

/** A process of the benchmark, which does not share the event loop of others. It runs a file of this folder. */
export interface Program {
  pid: number;
  send(message: object): void;
  /** Resolves with its next message. Rejects if it ends before. */
  receive<Message>(): Promise<Message>;
  stop(): Promise<void>;
}

export function startProgram(name: string, plan: object, nodeFlags: readonly string[]): Program {
  const child = fork(join(import.meta.dirname, `${name}.js`), [JSON.stringify(plan)], {
    execArgv: [...nodeFlags],
  });
  const exited = once(child, 'exit');
  const messages = on(child, 'message', { close: ['exit'] });
  return {
    pid: child.pid ?? 0,
    send(message) {
      // `receive` reports the end of a program that has ended.
      if (child.connected) child.send(message, () => undefined);
    },
    async receive<Message>() {
      const next = (await messages.next()) as IteratorResult<[Message], undefined>;
      if (next.done === true) throw new Error(`The program ${name} exited with ${child.exitCode}.`);
      return next.value[0];
    },
    async stop() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

/** Returns the plan of this process. It ends when the benchmark disconnects or ends. */
export function readPlan(): unknown {
  process.once('disconnect', () => process.exit());
  return JSON.parse(process.argv[2] ?? '') as unknown;
}
