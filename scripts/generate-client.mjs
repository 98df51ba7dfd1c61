// Writes the Prisma client into packages/database/src/generated. These packages are the part of Prisma's CLI that
// `prisma generate` runs; the CLI itself has 200 MB, most of it for databases and tools that are not used here.
import { createRequire } from 'node:module';
import path from 'node:path';

// Their ES modules import files without an extension, which Node refuses.
const require = createRequire(import.meta.url);
const { PrismaClientTsGenerator } = require('@prisma/client-generator-ts');
const { getGenerators, loadSchemaContext } = require('@prisma/internals');

const schema = path.resolve(import.meta.dirname, '../prisma/schema.prisma');
const generators = await getGenerators({
  schemaContext: await loadSchemaContext({
    schemaPath: { cliProvidedPath: schema },
    printLoadMessage: false,
  }),
  registry: { 'prisma-client': { type: 'in-process', generator: new PrismaClientTsGenerator() } },
  skipDownload: true,
  cliCommand: 'generate',
});
for (const generator of generators) await generator.generate();
