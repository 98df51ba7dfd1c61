export { createEventBus, type EventBusOptions } from './create-event-bus.ts';
export { BusTimeoutError } from './within-time.ts';
