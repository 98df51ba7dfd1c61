const TIMEOUT_MS = 5_000;

/**
 * Reads the simulator's URL for the API of each provider, or returns null if no simulator responds.
 * Does not call an https URL, because it belongs to a real provider.
 */
export async function readProviderUrls(
  simulatorUrl: string,
): Promise<Record<string, string> | null> {
  if (new URL(simulatorUrl).protocol !== 'http:') return null;
  try {
    const response = await fetch(`${simulatorUrl}/simulator/provider-urls`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) return null;
    // The URL of a gateway is a field of its account, and the demo data has no such account.
    const { http: _gateway, ...urls } = (await response.json()) as Record<string, string>;
    return urls;
  } catch {
    // The demo data can be created before the simulator is started.
    return null;
  }
}
