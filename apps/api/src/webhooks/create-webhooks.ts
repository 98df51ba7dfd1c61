import {
  type DispatchPolicy,
  type Transition,
  createAdvanceByCallback,
  createReceiveInbound,
  createRecordStatusCallback,
} from '@switchboard/core';
import { createResolveProviderAccount } from '@switchboard/providers';
import { webhookLimit } from '@switchboard/rate-limits';
import { type Logger, createReportProblem, rememberOpened } from '@switchboard/runtime';
import type { ApiConfig } from '../config.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Stores } from '../stores.ts';
import type { VerifyCredentials } from '../verify-credentials.ts';
import { createLimitWebhooks } from './limit-webhooks.ts';
import { createRequireVerifiedAccount } from './require-verified-account.ts';
import { createOutageRetry } from './retry-during-outage.ts';
import { createWebhookVerification } from './verify-webhook.ts';

/** Creates the functions that verify, limit and record the webhooks of providers. */
export function createWebhooks(options: {
  config: ApiConfig;
  infrastructure: Infrastructure;
  stores: Stores;
  policy: DispatchPolicy;
  metrics: Parameters<typeof createAdvanceByCallback>[0]['metrics'];
  transition: Transition;
  hintLater: Parameters<typeof createReceiveInbound>[0]['hintLater'];
  verifyCredentials: VerifyCredentials;
  logger: Logger;
}) {
  const { config, infrastructure, stores, policy, transition, verifyCredentials, logger } = options;
  const { bus, clock, limits, registry, secretBox } = infrastructure;
  const { messages, providers, unmatchedCallbacks } = stores;
  const outageRetry = createOutageRetry();

  return {
    outageRetry,
    receiveInbound: createReceiveInbound({
      store: (message, keyword) => outageRetry.retry(() => messages.receive(message, keyword)),
      publishLater: bus.publishLater,
      hintLater: options.hintLater,
      reportProblem: createReportProblem({ problems: stores.problems, logger }),
    }),
    ...createWebhookVerification({
      providers,
      resolveProviderAccount: createResolveProviderAccount({
        registry,
        secretBox: rememberOpened(secretBox),
      }),
      requireVerifiedAccount: createRequireVerifiedAccount(verifyCredentials, clock),
    }),
    limitWebhooks: createLimitWebhooks(
      limits.createLimit(webhookLimit(config.RATE_LIMIT_WEBHOOKS)),
    ),
    readRow: messages.readRow,
    advanceByCallback: createAdvanceByCallback({
      messages,
      publishLater: bus.publishLater,
      policy,
      metrics: options.metrics,
    }),
    ...createRecordStatusCallback({
      messages,
      unmatchedCallbacks,
      transition,
      policy,
    }),
  };
}
