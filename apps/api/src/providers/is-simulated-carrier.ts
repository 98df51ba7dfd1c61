/**
 * Tells whether messages end at a carrier simulator: the provider's API is then at an address of
 * this machine itself, as `npm start` sets it. No provider can be called there.
 */
export function isSimulatedCarrier(providerApiUrl: string): boolean {
  const { hostname } = new URL(providerApiUrl);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
