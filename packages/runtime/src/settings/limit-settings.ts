import { QUOTAS } from '@switchboard/core';
import { optional, withDefault } from './declare-setting.ts';
import { integerSetting, limitSetting } from './setting-kinds.ts';

export const LIMIT_SETTINGS = {
  RATE_LIMIT_MESSAGING: withDefault(limitSetting(), '100', {
    readBy: ['api', 'worker'],
    description: 'Requests per minute with one API key.',
  }),
  RATE_LIMIT_UI: withDefault(limitSetting(), '1000', {
    readBy: ['api'],
    description: 'Requests per minute by one user.',
  }),
  RATE_LIMIT_WORKSPACE: optional(limitSetting(), {
    readBy: ['api', 'worker'],
    absent: 'ten times `RATE_LIMIT_MESSAGING`',
    description:
      'Requests per minute with all API keys of a workspace together, including sends by its members.',
  }),
  RATE_LIMIT_WEBHOOKS: optional(limitSetting(), {
    readBy: ['api', 'worker'],
    absent: 'ten times `RATE_LIMIT_WORKSPACE`',
    description:
      'Signed provider webhooks, and receipts and messages over provider sessions, per minute for one workspace. Beyond the limit, the response is 503 or `ESME_RX_T_APPN`, so that the provider retries.',
  }),
  TEST_MESSAGES_PER_DAY: withDefault(limitSetting(), '10000', {
    readBy: ['api'],
    description:
      'Messages of [test mode](test-mode.md), sent and received, that are stored for one workspace within 24 hours.',
  }),
  KEYWORD_REPLIES_PER_HOUR: withDefault(limitSetting(), '1000', {
    readBy: ['api'],
    description: 'Replies to STOP, START and HELP that one workspace sends within an hour.',
  }),
  CONNECTION_LIMIT: withDefault(integerSetting({ min: 10, max: 1_000_000 }), '12000', {
    readBy: ['api'],
    description:
      'Open connections of each API process on `PORT`, of which 10,000 may be WebSockets. For a further one, the connection that has waited the longest for a request is closed.',
  }),
  SOCKET_LIMIT_KEY: withDefault(limitSetting(), String(QUOTAS.socketsPerKey), {
    readBy: ['api'],
    description:
      'Open WebSockets with one API key on each API process, which accepts 10,000 in total.',
  }),
  SOCKET_LIMIT_USER: withDefault(limitSetting(), String(QUOTAS.socketsPerUser), {
    readBy: ['api'],
    description: 'Open WebSockets of one user on each API process.',
  }),
  SOCKET_LIMIT_WORKSPACE: withDefault(limitSetting(), String(QUOTAS.socketsPerWorkspace), {
    readBy: ['api'],
    description: 'Open WebSockets of one workspace on each API process.',
  }),
};
