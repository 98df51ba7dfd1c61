import { AppError, type AppErrorOptions, type ErrorCode } from '@switchboard/core';
import type { Route } from './define-route.ts';

type ErrorsOf<Definition extends Route> = Extract<keyof Definition['errors'], ErrorCode>;

/**
 * Creates an error that a route defines, with the `detail` of its definition.
 *
 * @example
 * throw refuse(routes.removeNumber, 'not_found');
 */
export function refuse<Definition extends Route>(
  route: Definition,
  code: ErrorsOf<Definition>,
  options?: AppErrorOptions,
): AppError {
  return new AppError(code, route.errors?.[code] ?? code, options);
}
