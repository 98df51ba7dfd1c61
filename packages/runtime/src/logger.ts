import {
  type Bindings,
  type DestinationStream,
  type Level,
  type Logger as PinoLogger,
  pino,
} from 'pino';
import { maskLine, redactFields } from './redact.ts';

/**
 * Writes JSON lines to stdout. All work for one request, also in the worker, uses `logger.child({
 * request_id })`. Errors are logged under `err`. The message is a constant string; variable data is in
 * fields.
 */
export type Logger = PinoLogger;
export type LogLevel = Level | 'silent';

/** Pino's number for this level. */
const WARN = 40;

// Objects of Fastify. Its own serializers select their fields.
const SERIALIZED_ELSEWHERE = new Set(['req', 'res']);

export function createLogger(options: {
  /** The name of the process: `api`, `worker` … */
  name: string;
  level: LogLevel;
  /** Where lines are written. The default is stdout. */
  destination?: DestinationStream;
}): Logger {
  const logger = pino(
    {
      base: { name: options.name, pid: process.pid },
      level: options.level,
      timestamp: createTimestamp(),
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redactFields(fields, SERIALIZED_ELSEWHERE),
      },
      // `redactFields` has already converted the error to a plain object, with its causes.
      serializers: { err: (error: unknown) => error },
      hooks: { streamWrite: maskLine },
    },
    options.destination ?? createStdout(),
  );
  // Pino's formatters do not receive the fields of a child. Children of children inherit this method.
  const { child } = logger;
  logger.child = function redactedChild(this: Logger, bindings: Bindings, childOptions?: object) {
    return child.call(this, redactFields(bindings), childOptions);
  } as typeof child;
  return logger;
}

/** Formats the time of each line in ISO format. Only its milliseconds change within a second. */
function createTimestamp(): () => string {
  let second = Number.NaN;
  let start = '';
  return () => {
    const now = Date.now();
    const current = Math.floor(now / 1_000);
    if (current !== second) {
      second = current;
      start = `,"time":"${new Date(current * 1_000).toISOString().slice(0, 20)}`;
    }
    return `${start}${String(now - current * 1_000).padStart(3, '0')}Z"`;
  };
}

/**
 * Writes the lines of one turn of the event loop in one system call, at its end or at the first line of
 * level `warn` or higher. No line waits longer, so a process that fails or exits loses none.
 */
function createStdout(): DestinationStream {
  const stdout = pino.destination({ dest: 1, sync: true });
  let lines = '';

  function flush(): void {
    if (lines !== '') stdout.write(lines);
    lines = '';
  }
  process.on('exit', flush);
  return {
    // Makes pino set `lastLevel` before it writes each line.
    [pino.symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(this: { lastLevel: number }, line: string) {
      if (lines === '') setImmediate(flush);
      lines += line;
      if (this.lastLevel >= WARN) flush();
    },
  } as DestinationStream;
}
