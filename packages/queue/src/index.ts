export { createHintConsumer } from './create-hint-consumer.ts';
export { createHintProducer } from './create-hint-producer.ts';
export { migrateQueue } from './postgres/migrate-queue.ts';
export type { ConsumerOptions, QueueOptions } from './queue-options.ts';
