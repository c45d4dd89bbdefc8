/*
 * `npm run prisma:generate`, and a part of `npm ci`: writes the client and its GraphQL types into src/database/generated, as
 * `prisma generate` does. Without Prisma's command line, which would bring 200 MB into production, drivers of other databases
 * among them.
 */
import { createRequire } from 'node:module'

// Required: as ECMAScript modules, these packages import files that they do not have.
const require = createRequire(import.meta.url)
const { getGenerators, loadSchemaContext }: typeof import('@prisma/internals') = require('@prisma/internals')
const { PrismaClientTsGenerator }: typeof import('@prisma/client-generator-ts') = require('@prisma/client-generator-ts')

const generators = await getGenerators({
  schemaContext: await loadSchemaContext({ schemaPath: { cliProvidedPath: 'schema.prisma' }, printLoadMessage: false }),
  registry: { 'prisma-client': { type: 'in-process', generator: new PrismaClientTsGenerator() } },
  skipDownload: true,
  cliCommand: 'npm run prisma:generate',
})
for (const generator of generators) {
  await generator.generate()
  generator.stop()
}
