import { ExportResultCode } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from '../logger.ts';

/** Wraps an exporter: logs the first failed export, and the first that succeeds again. */
export function reportOutages(
  exporter: SpanExporter,
  logger: Pick<Logger, 'info' | 'warn'>,
): SpanExporter {
  let lost = 0;

  return {
    export(spans, onResult) {
      exporter.export(spans, (result) => {
        if (result.code === ExportResultCode.FAILED) {
          if (lost === 0) logger.warn({ err: result.error }, 'failed to export traces');
          lost += spans.length;
        } else if (lost > 0) {
          logger.info({ lost_spans: lost }, 'exporting traces again');
          lost = 0;
        }
        onResult(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
