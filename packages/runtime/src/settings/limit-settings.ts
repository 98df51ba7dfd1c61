import { QUOTAS } from '@switchboard/core';
import { optional, withDefault } from './declare-setting.ts';
import { limitSetting } from './setting-kinds.ts';

export const LIMIT_SETTINGS = {
  RATE_LIMIT_MESSAGING: withDefault(limitSetting(), '100', {
    readBy: ['api'],
    description: 'Requests a minute of one API key.',
  }),
  RATE_LIMIT_UI: withDefault(limitSetting(), '1000', {
    readBy: ['api'],
    description: 'Requests a minute of one user.',
  }),
  RATE_LIMIT_WORKSPACE: optional(limitSetting(), {
    readBy: ['api'],
    absent: 'ten times `RATE_LIMIT_MESSAGING`',
    description:
      'Requests a minute of all API keys of a workspace together, and of its members when they send.',
  }),
  RATE_LIMIT_WEBHOOKS: optional(limitSetting(), {
    readBy: ['api'],
    absent: 'ten times `RATE_LIMIT_WORKSPACE`',
    description:
      'Signed provider webhooks a minute of one workspace. Beyond it the answer is 503, so that the provider retries.',
  }),
  KEYWORD_REPLIES_PER_HOUR: withDefault(limitSetting(), '1000', {
    readBy: ['api', 'worker'],
    description: 'Replies to STOP, START and HELP that one workspace sends within an hour.',
  }),
  SOCKET_LIMIT_KEY: withDefault(limitSetting(), String(QUOTAS.socketsPerKey), {
    readBy: ['api'],
    description: 'Open WebSockets of one API key, for each API, which accepts 10,000 in all.',
  }),
  SOCKET_LIMIT_USER: withDefault(limitSetting(), String(QUOTAS.socketsPerUser), {
    readBy: ['api'],
    description: 'Open WebSockets of one user, for each API.',
  }),
  SOCKET_LIMIT_WORKSPACE: withDefault(limitSetting(), String(QUOTAS.socketsPerWorkspace), {
    readBy: ['api'],
    description: 'Open WebSockets of one workspace, for each API.',
  }),
};
