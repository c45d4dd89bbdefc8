import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export const migrationsFolder = fileURLToPath(new URL('migrations', import.meta.url))

export type Migration = {
  /** The folder's name: a timestamp, which determines the order, and a few words. */
  name: string
  sql: string
  /**
   * The name of an older migration. Programs that know the older migration, but not this one, may run after this one is
   * applied; if null, only programs that know this one may. The file names the older migration in a line such as
   * `-- runs beside: 20261122144500_references_held_by_locks`.
   */
  runsBeside: string | null
  /**
   * `whole`: in one transaction. `alone`: a statement that PostgreSQL refuses in a transaction, such as `create index
   * concurrently`. `batches`: a statement that changes a limited number of rows, and is repeated until it finds fewer; the file
   * has the line `-- in batches`.
   */
  runs: 'whole' | 'alone' | 'batches'
}

/** The migrations of this program, oldest first. */
export async function loadMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(`${folder}/${name}/migration.sql`, 'utf8')
      return { name, sql, runsBeside: findRunsBeside(sql), runs: findRuns(sql) }
    }),
  )
}

function findRunsBeside(sql: string): string | null {
  return /^-- runs beside: (\w+)\r?$/m.exec(sql)?.[1] ?? null
}

function findRuns(sql: string): Migration['runs'] {
  if (/^-- in batches\r?$/m.test(sql)) return 'batches'
  return /^\s*(create|drop)\s+(unique\s+)?index\s+concurrently\s/im.test(sql) ? 'alone' : 'whole'
}

/** Computed like Prisma's checksum, so that Prisma's tools accept the records in the table of migrations. */
export function checksumOf(sql: string): string {
  return createHash('sha256').update(sql).digest('hex')
}

/** Whether the file has the recorded checksum, apart from line endings, which Git may have changed. */
export function hasChecksum({ sql }: Migration, checksum: string): boolean {
  const unixText = sql.replaceAll('\r\n', '\n')
  return [sql, unixText, unixText.replaceAll('\n', '\r\n')].some((text) => checksumOf(text) === checksum)
}
