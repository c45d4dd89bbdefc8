/*
 * `npm run prisma:generate`, and a part of `npm ci`: writes the client and its GraphQL types into src/database/generated, as
 * `prisma generate` does, but without Prisma's command line, which would add 200 MB, including drivers for other databases.
 */
import { createRequire } from 'node:module'

// Loaded with `require`: as ECMAScript modules, these packages import files that do not exist.
const require = createRequire(import.meta.url)
if (!isInstalled('@prisma/internals')) {
  console.error('The packages that build the service were left out (--omit=dev, or NODE_ENV=production).')
  console.error('Run npm ci --include=dev, or install a release: docs/operations/install.md.')
  process.exit(1)
}
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

function isInstalled(name: string): boolean {
  try {
    require.resolve(name)
    return true
  } catch {
    return false
  }
}
