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
    // Written at once: a process that dies keeps its last line.
    options.destination ?? pino.destination({ dest: 1, sync: true }),
  );
  // Formatters do not reach the fields of a child, and children of children inherit this.
  const { child } = logger;
  logger.child = function redactedChild(this: Logger, bindings: Bindings, childOptions?: object) {
    return child.call(this, redactFields(bindings), childOptions);
  } as typeof child;
  return logger;
}
