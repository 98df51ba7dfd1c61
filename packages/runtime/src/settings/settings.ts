import type { z } from 'zod';
import { DATABASE_SETTINGS } from './database-settings.ts';
import { LIMIT_SETTINGS } from './limit-settings.ts';
import { MAIL_SETTINGS } from './mail-settings.ts';
import { MEDIA_SETTINGS } from './media-settings.ts';
import { NETWORK_SETTINGS } from './network-settings.ts';
import { OIDC_SETTINGS } from './oidc-settings.ts';
import { OPERATION_SETTINGS } from './operation-settings.ts';
import { SENDING_SETTINGS } from './sending-settings.ts';
import { TRACE_SETTINGS } from './trace-settings.ts';

/** Every setting of every process, in the order and under the headings of docs/settings.md. */
export const SETTING_AREAS = {
  'Addresses and accounts': NETWORK_SETTINGS,
  'PostgreSQL and Redis': DATABASE_SETTINGS,
  Limits: LIMIT_SETTINGS,
  Sending: SENDING_SETTINGS,
  'Mail to users': MAIL_SETTINGS,
  'Single sign-on': OIDC_SETTINGS,
  'Uploaded files': MEDIA_SETTINGS,
  Operation: OPERATION_SETTINGS,
  Traces: TRACE_SETTINGS,
};

export const SETTINGS = {
  ...NETWORK_SETTINGS,
  ...DATABASE_SETTINGS,
  ...LIMIT_SETTINGS,
  ...SENDING_SETTINGS,
  ...MAIL_SETTINGS,
  ...OIDC_SETTINGS,
  ...MEDIA_SETTINGS,
  ...OPERATION_SETTINGS,
  ...TRACE_SETTINGS,
};

export type SettingName = keyof typeof SETTINGS;

/** The settings that `startTracer` reads. */
export type TraceSettings = z.output<
  z.ZodObject<{ [Name in keyof typeof TRACE_SETTINGS]: (typeof TRACE_SETTINGS)[Name]['field'] }>
>;
