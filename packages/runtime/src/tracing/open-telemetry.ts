import { hostname } from 'node:os';
import {
  ROOT_CONTEXT,
  type Context,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from '../logger.ts';
import type { TraceSettings } from '../settings/settings.ts';
import { reportOutages } from './report-outages.ts';
import type { Span, SpanStart, Tracer } from './tracer.ts';

/** The maximum number of spans that wait for export. Further spans are dropped. */
const MAX_WAITING_SPANS = 4_096;
const EXPORT_EVERY_MS = 1_000;
/** Including retries. */
const EXPORT_TIMEOUT_MS = 5_000;

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const satisfies Record<NonNullable<SpanStart['kind']>, SpanKind>;

/** Creates the tracer. This file is loaded only when an endpoint is configured. */
export function createOpenTelemetryTracer(
  settings: TraceSettings,
  options: { endpoint: string; serviceName: string; logger: Pick<Logger, 'info' | 'warn'> },
): Tracer {
  const { logger } = options;
  const exporter = new OTLPTraceExporter({
    url: `${options.endpoint}/v1/traces`,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    timeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    sampler: createSampler(settings),
    resource: resourceFromAttributes({
      'service.name': options.serviceName,
      'service.instance.id': `${hostname()}:${process.pid}`,
      ...settings.OTEL_RESOURCE_ATTRIBUTES,
      ...(settings.OTEL_SERVICE_NAME !== undefined && {
        'service.name': settings.OTEL_SERVICE_NAME,
      }),
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportOutages(exporter, logger),
        maxQueueSize: MAX_WAITING_SPANS,
        scheduledDelayMillis: EXPORT_EVERY_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('switchboard');

  return {
    startSpan(name, { kind, parent, startedAt, attributes }) {
      const span = tracer.startSpan(
        name,
        {
          kind: kind === undefined ? SpanKind.INTERNAL : KINDS[kind],
          ...(startedAt !== undefined && { startTime: startedAt }),
          ...(attributes !== undefined && { attributes }),
        },
        toContext(parent),
      );
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceId,
        traceParent: `00-${traceId}-${spanId}-0${traceFlags}`,
        setAttributes: (more) => void span.setAttributes(more),
        end(end) {
          if (end?.attributes !== undefined) span.setAttributes(end.attributes);
          if (end?.failure !== undefined) {
            span.setStatus({ code: SpanStatusCode.ERROR, message: end.failure });
          }
          span.end();
        },
      } satisfies Span;
    },

    async close(timeoutMs) {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(() => {
          logger.warn('failed to export the last traces');
          resolve();
        }, timeoutMs);
      });
      // `reportOutages` has already logged a failure.
      const flushed = provider.shutdown().catch(() => undefined);
      await Promise.race([flushed, timeout]);
      clearTimeout(timer);
    },
  };
}

function toContext(parent: string | null): Context {
  const spanContext: SpanContext | null = parent === null ? null : parseTraceParent(parent);
  return spanContext === null
    ? ROOT_CONTEXT
    : trace.setSpanContext(ROOT_CONTEXT, { ...spanContext, isRemote: true });
}

/** https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/ */
function createSampler(settings: TraceSettings): Sampler {
  const ratio = new TraceIdRatioBasedSampler(settings.OTEL_TRACES_SAMPLER_ARG);
  switch (settings.OTEL_TRACES_SAMPLER) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return ratio;
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: ratio });
  }
}
