import { defineConfig } from 'prisma/config'

// `prisma generate` needs no schema engine, but tries to download one; naming any existing file stops that.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath

export default defineConfig({
  schema: 'schema.prisma',
  migrations: { path: 'src/database/migrations' },
})
