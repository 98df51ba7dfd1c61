import type { SendRequest } from '@switchboard/core';
import type { HttpRequest } from '../http/origin-client.ts';
import { type GatewayConfig } from './config.ts';
import {
  type Placeholder,
  type TemplateValues,
  escapeHeader,
  escapeUrl,
  listPlaceholders,
  readBodyType,
  render,
  renderBody,
} from './template.ts';
import { createStatusToken } from './signature.ts';

export interface GatewayRequest extends HttpRequest {
  origin: string;
}

const DEFAULT_HEADERS = { accept: 'application/json', 'user-agent': 'switchboard' };

/** Fills a message into the template. `checkTemplate` has accepted it. */
export function renderRequest(config: GatewayConfig, request: SendRequest): GatewayRequest {
  const { method, url, headers, body } = config.send;
  const values: TemplateValues = {
    to: request.to,
    from: request.from ?? '',
    body: request.body,
    id: request.messageId,
    status_url: toStatusUrl(config, request),
  };
  const type = readBodyType(headers['content-type'] ?? '') ?? 'text';
  const { origin, pathname, search } = new URL(render(url, values, escapeUrl));
  return {
    origin,
    method,
    path: pathname + search,
    headers: {
      ...DEFAULT_HEADERS,
      ...Object.fromEntries(
        Object.entries(headers).map(([name, text]) => [name, render(text, values, escapeHeader)]),
      ),
    },
    body: body === null ? null : renderBody(body, values, type),
  };
}

/** Returns whether the template contains a placeholder anywhere. */
export function usesPlaceholder({ send }: GatewayConfig, name: Placeholder): boolean {
  return [send.url, send.body ?? '', ...Object.values(send.headers)].some((template) =>
    listPlaceholders(template).includes(name),
  );
}

/**
 * Signs the URL of the status callbacks. The gateway's signature does not cover the URL, so
 * otherwise a signed body could be sent to the URL of another message.
 */
function toStatusUrl({ signing }: GatewayConfig, request: SendRequest): string {
  if (signing === null) return request.statusUrl;
  return `${request.statusUrl}&token=${createStatusToken(signing.secret, request.messageId)}`;
}
