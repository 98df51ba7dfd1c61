import type { GatewayConfig } from './config.ts';
import { type ParsedBody, findValue, readPath, toText } from './value-path.ts';

/**
 * Gateways send events of all kinds to one URL, and events of which an account knows nothing. An event is of
 * another kind than expected if it is complete as the other kind and not as the expected one, or if it has
 * nothing of the expected kind. An event that has a part of it is malformed, so it is refused.
 */
export function isOtherThanStatus(config: GatewayConfig, body: ParsedBody): boolean {
  const { status_webhook: paths } = config;
  if (paths === null || isStatus(config, body)) return false;
  return (
    isMessage(config, body) || (!hasKnownStatus(config, body) && !isFound(body, paths.id_path))
  );
}

export function isOtherThanMessage(config: GatewayConfig, body: ParsedBody): boolean {
  const { inbound_webhook: paths } = config;
  if (paths === null || isMessage(config, body)) return false;
  const hasPart = isFound(body, paths.from_path) || isFound(body, paths.body_path);
  return !isExpectedEvent(config, body) || isStatus(config, body) || !hasPart;
}

/** Returns whether a body is complete as a status that the account knows. */
function isStatus(config: GatewayConfig, body: ParsedBody): boolean {
  const { status_webhook: paths } = config;
  return paths !== null && isFound(body, paths.id_path) && hasKnownStatus(config, body);
}

function hasKnownStatus({ status_webhook: paths }: GatewayConfig, body: ParsedBody): boolean {
  return paths !== null && Object.hasOwn(paths.map, readPath(body, paths.status_path) ?? '');
}

/** Returns whether a body is complete as a received message. */
function isMessage(config: GatewayConfig, body: ParsedBody): boolean {
  const { inbound_webhook: paths } = config;
  return (
    paths !== null &&
    isExpectedEvent(config, body) &&
    readPath(body, paths.from_path) !== null &&
    toText(findValue(body, paths.body_path)) !== null
  );
}

function isExpectedEvent({ inbound_webhook: paths }: GatewayConfig, body: ParsedBody): boolean {
  const { event_path: path = null, events = null } = paths ?? {};
  return path === null || events === null || events.includes(readPath(body, path) ?? '');
}

function isFound(body: ParsedBody, path: Parameters<typeof findValue>[1]): boolean {
  return findValue(body, path) !== undefined;
}
