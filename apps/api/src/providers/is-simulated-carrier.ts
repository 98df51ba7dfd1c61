/**
 * Checks whether a carrier simulator replaces the provider: the provider's API then has a loopback
 * address, as `npm start` sets it. No real provider has one.
 */
export function isSimulatedCarrier(providerApiUrl: string): boolean {
  const { hostname } = new URL(providerApiUrl);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
