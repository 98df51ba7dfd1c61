import type { Logger } from '../logger.ts';
import type { TraceSettings } from '../settings.ts';
import type { Tracer } from './tracer.ts';

/**
 * Null unless an endpoint is configured; nothing of OpenTelemetry is loaded then.
 *
 * @param serviceName what the process is called where `OTEL_SERVICE_NAME` says nothing
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
