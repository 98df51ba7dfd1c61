import { type CarrierSettings, openCarrier } from './open-carrier.ts';
import { readPlan } from './program.ts';

/** Runs a carrier. Reports its URL, and after each change of its settings the number of accepted messages. */
const carrier = await openCarrier();
carrier.configure(readPlan() as Partial<CarrierSettings>);
process.on('message', (settings: Partial<CarrierSettings>) => {
  carrier.configure(settings);
  process.send?.(carrier.accepted);
});
process.send?.(carrier.url);
