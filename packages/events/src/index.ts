export { createEventBus, type EventBusOptions } from './create-event-bus.ts';
