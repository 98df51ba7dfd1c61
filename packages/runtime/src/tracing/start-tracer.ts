import type { Logger } from '../logger.ts';
import type { TraceSettings } from '../settings/settings.ts';
import type { Tracer } from './tracer.ts';

/**
 * Starts the tracer. Returns null, and loads nothing of OpenTelemetry, unless an endpoint is
 * configured. `serviceName` is the default of `OTEL_SERVICE_NAME`.
 */
export async function startTracer(
  settings: TraceSettings,
  options: { serviceName: string; logger: Pick<Logger, 'info' | 'warn'> },
): Promise<Tracer | null> {
  const endpoint = settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return null;
  const { createOpenTelemetryTracer } = await import('./open-telemetry.ts');
  return createOpenTelemetryTracer(settings, { ...options, endpoint });
}
