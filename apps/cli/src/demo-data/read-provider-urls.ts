const TIMEOUT_MS = 5_000;

/**
 * Reads the simulator's URL for the API of each provider; null if no simulator runs there. A real
 * provider has an https URL and is not called.
 */
export async function readProviderUrls(
  simulatorUrl: string,
): Promise<Record<string, string> | null> {
  if (new URL(simulatorUrl).protocol !== 'http:') return null;
  try {
    const answer = await fetch(`${simulatorUrl}/simulator/provider-urls`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!answer.ok) return null;
    // A gateway's own address is part of its account, and no account of the demo has one.
    const { http: _gateway, ...urls } = (await answer.json()) as Record<string, string>;
    return urls;
  } catch {
    // The demo data can be created before the simulator is started.
    return null;
  }
}
