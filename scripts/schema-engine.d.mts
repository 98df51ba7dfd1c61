import type { SchemaEngine } from '@prisma/schema-engine-wasm';

export function createSchemaEngine(adapter?: object): Promise<SchemaEngine>;
export function diffSchemas(from: string, to: string): Promise<string>;
