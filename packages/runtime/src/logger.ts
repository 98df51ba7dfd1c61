import {
  type Bindings,
  type DestinationStream,
  type Level,
  type Logger as PinoLogger,
  pino,
} from 'pino';
import { maskLine, redactFields } from './redact.ts';

/**
 * JSON lines on stdout. Convention: `logger.child({ request_id })` for everything done for one
 * request, in the worker too; errors go under `err`; the text is fixed and what varies is a field.
 */
export type Logger = PinoLogger;
export type LogLevel = Level | 'silent';

/** As pino numbers it. */
const WARN = 40;

// Fastify's own objects: its serializers pick what is written of them.
const SERIALIZED_ELSEWHERE = new Set(['req', 'res']);

export function createLogger(options: {
  /** The process: `api`, `worker` … */
  name: string;
  level: LogLevel;
  /** Where lines go; stdout unless given. */
  destination?: DestinationStream;
}): Logger {
  const logger = pino(
    {
      base: { name: options.name, pid: process.pid },
      level: options.level,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redactFields(fields, SERIALIZED_ELSEWHERE),
      },
      // `redactFields` has made a plain object of it, causes included.
      serializers: { err: (error: unknown) => error },
      hooks: { streamWrite: maskLine },
    },
    options.destination ?? createStdout(),
  );
  // Formatters do not reach the fields of a child, and children of children inherit this.
  const { child } = logger;
  logger.child = function redactedChild(this: Logger, bindings: Bindings, childOptions?: object) {
    return child.call(this, redactFields(bindings), childOptions);
  } as typeof child;
  return logger;
}

/**
 * Lines of one turn of the event loop are written in one system call, at its end or with the first
 * line that tells of trouble. Nothing waits longer: a process that fails or exits keeps its last line.
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
    // Asks pino for the level of each line, which it sets before it writes.
    [pino.symbols.needsMetadataGsym]: true,
    lastLevel: 0,
    write(this: { lastLevel: number }, line: string) {
      if (lines === '') setImmediate(flush);
      lines += line;
      if (this.lastLevel >= WARN) flush();
    },
  } as DestinationStream;
}
