import { AppError } from '@switchboard/core';
import type { FastifyInstance } from 'fastify';

export type FormFields = readonly (readonly [string, string])[];

/** Form fields in their order, repeated names included: the signature covers all of them. */
export function parseFormBodies(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body: string, done) => {
      if (!body.isWellFormed())
        return done(new AppError('invalid_params', 'The form is malformed'));
      done(null, [...new URLSearchParams(body)] satisfies FormFields);
    },
  );
}
