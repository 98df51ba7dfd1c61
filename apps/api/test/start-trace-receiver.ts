import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedSpan {
  /** The service name of the process that created the span. */
  service: string;
  name: string;
  /** OTLP span kind: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  traceId: string;
  spanId: string;
  /** Empty for the root span of a trace. */
  parentSpanId: string;
  attributes: Record<string, unknown>;
  startedAt: number;
  endedAt: number;
  failed: boolean;
}

interface OtlpAttribute {
  key: string;
  value: { stringValue?: string; intValue?: number; doubleValue?: number; boolValue?: boolean };
}

/** The parts of OTLP's JSON that the tests read: opentelemetry.io/docs/specs/otlp */
interface OtlpRequest {
  resourceSpans: {
    resource: { attributes: OtlpAttribute[] };
    scopeSpans: {
      spans: {
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        name: string;
        kind: number;
        startTimeUnixNano: string;
        endTimeUnixNano: string;
        attributes: OtlpAttribute[];
        status: { code?: number };
      }[];
    }[];
  }[];
}

/** Starts a collector of traces that receives OTLP/HTTP. */
export async function startTraceReceiver() {
  const spans: ReceivedSpan[] = [];
  const requests: { authorization: string | undefined; text: string }[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const isTraces = request.method === 'POST' && request.url === '/v1/traces';
      requests.push({ authorization: request.headers.authorization, text });
      if (isTraces && status === 200) spans.push(...readSpans(JSON.parse(text) as OtlpRequest));
      response.writeHead(isTraces ? status : 404, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    /** Sets the status of further responses. Spans are kept only if the status is 200. */
    respondWith(code: number): void {
      status = code;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function readSpans({ resourceSpans }: OtlpRequest): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(readAttributes(resource.attributes)['service.name']);
    return scopeSpans.flatMap((scope) =>
      scope.spans.map((span) => ({
        service,
        name: span.name,
        kind: span.kind,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        attributes: readAttributes(span.attributes),
        startedAt: Number(BigInt(span.startTimeUnixNano) / 1_000n) / 1_000,
        endedAt: Number(BigInt(span.endTimeUnixNano) / 1_000n) / 1_000,
        failed: span.status.code === 2,
      })),
    );
  });
}

function readAttributes(attributes: OtlpAttribute[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, Object.values(value)[0] as unknown]),
  );
}
