import { createHash, timingSafeEqual } from 'node:crypto';
import { AppError } from '@switchboard/core';
import type { FailureLimit } from '@switchboard/rate-limits';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { toClientNetwork } from '../auth/client-network.ts';

export interface OperatorLogin {
  user: string;
  password: string;
}

/**
 * Accepts only the operators' name and password (HTTP Basic), not a user, a key or a session of the
 * service. Failures of an address are counted before the password is checked.
 */
export function createRequireOperator(options: {
  login: OperatorLogin;
  failures: FailureLimit;
}): onRequestAsyncHookHandler {
  const expected = digest(options.login);

  return async function requireOperator(request, reply) {
    const given = readLogin(request);
    if (given !== null) {
      const address = toClientNetwork(request.ip);
      await options.failures.begin(address);
      // Digests have equal length, so that the time of the comparison does not reveal a part of the
      // name or the password.
      if (timingSafeEqual(digest(given), expected)) {
        await options.failures.succeed(address);
        return;
      }
    }
    reply.header('www-authenticate', 'Basic realm="Switchboard operators", charset="UTF-8"');
    throw new AppError('unauthorized', 'The operator name or password is missing or wrong');
  };
}

function digest({ user, password }: OperatorLogin): Buffer {
  // A name cannot contain a colon.
  return createHash('sha256').update(`${user}:${password}`).digest();
}

/** https://www.rfc-editor.org/rfc/rfc7617 */
function readLogin({ headers }: FastifyRequest): OperatorLogin | null {
  const [, encoded] = /^basic +([A-Za-z0-9+/=]+)$/i.exec(headers.authorization ?? '') ?? [];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? null : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
