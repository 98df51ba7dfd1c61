import { withDefault } from './declare-setting.ts';
import { integerSetting, risingIntegersSetting } from './setting-kinds.ts';

const DAY_MS = 86_400_000;

export const SENDING_SETTINGS = {
  SEND_WAIT_SECONDS: withDefault(integerSetting({ min: 0, max: 30 }), '0', {
    readBy: ['api'],
    description: "How long the response to a send waits for the provider's response, in seconds.",
  }),
  WORKER_CONCURRENCY: withDefault(integerSetting({ min: 1, max: 1000 }), '50', {
    readBy: ['worker'],
    description: 'Calls to the provider that one worker makes at the same time.',
  }),
  PROVIDER_TIMEOUT_MS: withDefault(integerSetting({ min: 50, max: 300_000 }), '15000', {
    readBy: ['api', 'worker'],
    description: 'How long a call to the provider may take, in ms.',
  }),
  LEASE_MS: withDefault(integerSetting({ min: 100, max: 3_600_000 }), '60000', {
    readBy: ['api', 'worker'],
    description:
      "How long a worker's claim of a message lasts, in ms. Must be above `PROVIDER_TIMEOUT_MS`.",
  }),
  UNKNOWN_LOOKUPS_MS: withDefault(
    risingIntegersSetting({ min: 1, max: DAY_MS, maxLength: 10 }),
    '120000,240000,600000',
    {
      readBy: ['api', 'worker'],
      description:
        'When a message with an unknown outcome is looked up at the provider, in ms since the outcome became unknown. The last must be above `PROVIDER_TIMEOUT_MS`.',
    },
  ),
  UNKNOWN_RECEIPT_MS: withDefault(integerSetting({ min: 0, max: DAY_MS }), '300000', {
    readBy: ['api', 'worker'],
    description:
      'How long after the last of `UNKNOWN_LOOKUPS_MS` a message with an unknown outcome waits for a late status if its provider has no lookup, in ms.',
  }),
  POLL_MS: withDefault(
    risingIntegersSetting({ min: 1, max: 7 * DAY_MS, maxLength: 10 }),
    '60000,300000,1800000,7200000,43200000,86400000',
    {
      readBy: ['api', 'worker'],
      description:
        'When the status of an unfinished message is read from the provider, in ms since its last change, in case a callback was lost.',
    },
  ),
  WEBHOOK_TIMEOUT_MS: withDefault(integerSetting({ min: 100, max: 60_000 }), '15000', {
    readBy: ['worker'],
    description: 'How long a delivery to a [workspace webhook](webhooks.md) may take, in ms.',
  }),
  WEBHOOK_RETRIES_MS: withDefault(
    risingIntegersSetting({ min: 1, max: 7 * DAY_MS, maxLength: 20 }),
    '5000,300000,1800000,7200000,18000000,36000000,50400000,72000000,86400000',
    {
      readBy: ['worker'],
      description:
        'The pauses between the attempts of a delivery to a [workspace webhook](webhooks.md), in ms.',
    },
  ),
  SWEEP_MS: withDefault(integerSetting({ min: 10, max: 60_000 }), '1000', {
    readBy: ['api', 'worker'],
    description: 'How often each worker searches for work that the queue missed, in ms.',
  }),
};
