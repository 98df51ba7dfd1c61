import type { ProviderAdapter } from '@switchboard/core';

import type { AdapterOptions } from './adapter-options.ts';
import { createSandboxAdapter } from './sandbox/sandbox-adapter.ts';
import { createHttpGatewayAdapter } from './http-gateway/http-gateway-adapter.ts';
import { createSmppAdapter } from './smpp/smpp-adapter.ts';
import { createTelnyxAdapter } from './telnyx/telnyx-adapter.ts';
import { createTwilioAdapter } from './twilio/twilio-adapter.ts';
import { createVonageAdapter } from './vonage/vonage-adapter.ts';

/** The adapter of each provider type. To add a provider, add one line here. */
export const ADAPTERS: Readonly<Record<string, (options: AdapterOptions) => ProviderAdapter>> = {
  twilio: createTwilioAdapter,
  telnyx: createTelnyxAdapter,
  vonage: createVonageAdapter,
  http: createHttpGatewayAdapter,
  smpp: createSmppAdapter,
  sandbox: createSandboxAdapter,
};
