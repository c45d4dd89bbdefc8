import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { migrate } from '../../src/database/migrate.ts'

let count = 0

/**
 * A migrated database of the file's own: a worker looks at every organization there is, and its clock may be moved. Gone
 * after the file's tests.
 */
export async function createOwnDatabase(): Promise<string> {
  const server = inject('databaseUrl')
  const url = new URL(server)
  url.pathname = `/own_${process.pid}_${Date.now()}_${count++}`
  const name = url.pathname.slice(1)
  await administer(server, `create database ${name}`)
  afterAll(() => administer(server, `drop database ${name} with (force)`))
  await migrate({ url: url.href })
  return url.href
}

async function administer(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
