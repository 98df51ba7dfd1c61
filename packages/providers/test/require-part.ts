import type { ProviderAdapter } from '@switchboard/core';

/** Returns a part of an adapter whose vendor must have it. */
export function requirePart<Name extends keyof ProviderAdapter>(
  adapter: ProviderAdapter,
  name: Name,
): NonNullable<ProviderAdapter[Name]> {
  const part = adapter[name] ?? null;
  if (part === null) throw new Error(`the adapter of ${adapter.type} has no ${name}`);
  return part;
}
