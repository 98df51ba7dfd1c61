import { optional, withDefault } from './declare-setting.ts';
import {
  choiceSetting,
  httpBaseSetting,
  pairsSetting,
  ratioSetting,
  textSetting,
} from './setting-kinds.ts';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/**
 * OpenTelemetry's own names:
 * https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables
 */
export const TRACE_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(httpBaseSetting(), {
    readBy: ['api', 'worker'],
    absent: 'no traces',
    description:
      'The URL to which [traces](runbook.md#traces) are sent, as OTLP over HTTP; `/v1/traces` is appended.',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: optional(pairsSetting(), {
    readBy: ['api', 'worker'],
    absent: 'no headers',
    description: 'Headers for the collector, for example `authorization=Bearer%20…`.',
  }),
  OTEL_SERVICE_NAME: optional(textSetting(), {
    readBy: ['api', 'worker'],
    absent: '`switchboard-api`, `switchboard-worker`',
    description: 'The name of the process in traces.',
  }),
  OTEL_RESOURCE_ATTRIBUTES: optional(pairsSetting(), {
    readBy: ['api', 'worker'],
    absent: 'no attributes',
    description: 'Additional resource attributes in traces.',
  }),
  OTEL_TRACES_SAMPLER: withDefault(choiceSetting(SAMPLERS), 'parentbased_always_on', {
    readBy: ['api', 'worker'],
    description: 'The sampler, which selects the requests that are traced.',
  }),
  OTEL_TRACES_SAMPLER_ARG: withDefault(ratioSetting(), '1', {
    readBy: ['api', 'worker'],
    description: 'The fraction of requests to trace, for samplers that need a ratio.',
  }),
};
