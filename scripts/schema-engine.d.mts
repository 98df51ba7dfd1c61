import type { SchemaEngine } from '@prisma/schema-engine-wasm';

export function createSchemaEngine(adapter?: object): Promise<SchemaEngine>;
export function diffSchemas(from: string | null, to: string): Promise<string>;
