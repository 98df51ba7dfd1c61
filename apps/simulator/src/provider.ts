/** The providers whose APIs the simulator implements. */
export const PROVIDERS = ['twilio', 'telnyx', 'vonage', 'smpp', 'http'] as const;

export type Provider = (typeof PROVIDERS)[number];

export function isProvider(value: unknown): value is Provider {
  return PROVIDERS.some((provider) => provider === value);
}
