import { createHash } from 'node:crypto';
import type { HintProducer } from '@switchboard/core';
import type { Survey } from '@switchboard/database';
import type { FastifyInstance } from 'fastify';
import type { FailureLimit } from '@switchboard/rate-limits';
import { STYLE, renderQueuePage } from './render-queue-page.ts';
import { type OperatorLogin, createRequireOperator } from './require-operator.ts';

export interface QueuePageDependencies {
  /** Null turns the page off. */
  login: OperatorLogin | null;
  failures: FailureLimit;
  backend: string;
  hints: Pick<HintProducer, 'countByState'>;
  surveyUnfinished(): Promise<Survey>;
}

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Registers a read-only page that shows operators the backlog. */
export function registerQueuePage(
  app: FastifyInstance,
  { login, failures, backend, hints, surveyUnfinished }: QueuePageDependencies,
): void {
  if (login === null) return;
  const onRequest = [createRequireOperator({ login, failures })];
  let rendering: Promise<string> | null = null;

  async function render(): Promise<string> {
    const [counts, survey] = await Promise.all([
      // The rows matter more than the queue, so they are shown even if the queue does not respond.
      hints.countByState().catch(() => null),
      surveyUnfinished(),
    ]);
    return renderQueuePage({ backend, counts, survey, at: new Date() });
  }

  app.get('/ops/queue', { onRequest }, async (_request, reply) => {
    // However many operators have the page open, one query runs at a time.
    rendering ??= render().finally(() => {
      rendering = null;
    });
    const page = await rendering;
    return reply.headers(HEADERS).type('text/html; charset=utf-8').send(page);
  });
}
