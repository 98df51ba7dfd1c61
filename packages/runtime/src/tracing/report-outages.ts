import { ExportResultCode } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from '../logger.ts';

/** The same exporter, which says once that the collector takes nothing, and once that it does again. */
export function reportOutages(
  exporter: SpanExporter,
  logger: Pick<Logger, 'info' | 'warn'>,
): SpanExporter {
  let lost = 0;

  return {
    export(spans, onResult) {
      exporter.export(spans, (result) => {
        if (result.code === ExportResultCode.FAILED) {
          if (lost === 0) logger.warn({ err: result.error }, 'traces can’t be exported');
          lost += spans.length;
        } else if (lost > 0) {
          logger.info({ lost_spans: lost }, 'traces are exported again');
          lost = 0;
        }
        onResult(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
