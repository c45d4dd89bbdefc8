import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'prisma/config'

// The commands ask whether the schema engine is installed, and download it otherwise; those that we use never run it.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath
// `prisma generate`, and so `npm ci`, would ask Prisma's server for updates.
process.env.CHECKPOINT_DISABLE ??= '1'

export default defineConfig({
  schema: 'schema.prisma',
  migrations: { path: 'src/database/migrations' },
  // For `prisma studio`; the other commands need no database.
  datasource: { url: toStudioAddress(process.env.DATABASE_URL ?? readRunningAddress()) },
})

/** The address of the embedded PostgreSQL while it runs (docs/decisions/0033-a-socket-in-the-data-folder.md). */
function readRunningAddress(): string {
  const file = join(process.env.DATA_DIR ?? '.data', 'database-url')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
}

/** Studio's driver finds a socket by PGHOST alone, and reads no parameter `host`. */
function toStudioAddress(address: string): string {
  const { username, password, pathname, searchParams } = new URL(address || 'postgres:')
  const folder = searchParams.get('host')
  if (folder === null) return address
  Object.assign(process.env, { PGHOST: folder, PGUSERNAME: username, PGPASSWORD: password })
  return `postgres://${pathname}`
}
