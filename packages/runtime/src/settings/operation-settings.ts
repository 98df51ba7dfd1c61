import { optional, withDefault } from './declare-setting.ts';
import { choiceSetting, integerSetting, patternSetting, textSetting } from './setting-kinds.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export const OPERATION_SETTINGS = {
  LOG_LEVEL: withDefault(choiceSetting(LOG_LEVELS), 'info', {
    readBy: ['api', 'worker', 'simulator'],
    description: 'The lowest level that is [logged](logs.md). The simulator defaults to `warn`.',
  }),
  DRAIN_MS: withDefault(integerSetting({ min: 0, max: 120_000 }), '0', {
    readBy: ['api'],
    description:
      'How long a stopping API continues to serve requests while it reports that it is not ready, in ms. Must be longer than your proxy needs to detect this.',
  }),
  // Within a week, the provider may still send reports for a message.
  MESSAGE_RETENTION_DAYS: optional(integerSetting({ min: 7, max: 36_500 }), {
    readBy: ['retention'],
    absent: 'forever',
    description: 'How many days messages are kept. `npm run retention` deletes older ones.',
  }),
  EVENT_RETENTION_DAYS: optional(integerSetting({ min: 1, max: 36_500 }), {
    readBy: ['retention'],
    absent: 'as long as messages',
    description:
      'How many days events are kept, so that clients can resume from them. At most `MESSAGE_RETENTION_DAYS`.',
  }),
  TEST_RETENTION_DAYS: withDefault(integerSetting({ min: 1, max: 36_500 }), '7', {
    readBy: ['retention'],
    description:
      'How many days messages and events of [test mode](test-mode.md) are kept. `npm run retention` deletes older ones, whatever the other two settings are.',
  }),
  BACKUP_DIR: withDefault(textSetting('a folder'), '/var/lib/switchboard-backup', {
    readBy: ['backup', 'restore'],
    description: 'The folder in which `npm run backup` keeps its [dumps](backup.md).',
  }),
  BACKUP_DAYS: withDefault(integerSetting({ min: 1, max: 3_650 }), '14', {
    readBy: ['backup', 'restore'],
    description: 'How many days dumps, and their copies off the machine, are kept.',
  }),
  RESTIC_REPOSITORY: optional(
    textSetting('a restic repository, for example s3:https://s3.example.com/switchboard'),
    {
      readBy: ['backup', 'restore'],
      absent: 'no copy',
      description:
        'The repository to which each dump is [copied](backup.md#a-copy-off-the-machine).',
    },
  ),
  METRICS_TEXTFILE_DIR: optional(textSetting('a folder'), {
    readBy: ['backup', 'restore', 'retention'],
    absent: 'no files',
    description:
      'The folder in which backup, restore test and retention write their results for [node_exporter](backup.md#alerts).',
  }),
  QUEUE_UI_USER: optional(
    patternSetting(/^[\x21-\x39\x3B-\x7E]{1,64}$/, '1 to 64 visible characters without a colon'),
    {
      readBy: ['api'],
      absent: 'no page',
      description: 'The login of operators for the [queue page](runbook.md#the-queue-page).',
    },
  ),
  QUEUE_UI_PASSWORD: optional(patternSetting(/^[^]{16,}$/, 'at least 16 characters long'), {
    readBy: ['api'],
    absent: 'no page',
    description: 'The password of that login.',
  }),
};
