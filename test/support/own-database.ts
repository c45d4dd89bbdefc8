import { inject } from 'vitest'
import { migrate } from '../../src/database/migrate.ts'
import { administer } from './administer.ts'
import { atEnd } from './at-end.ts'

let count = 0

/**
 * A migrated database of the file's or the test's own: a worker looks at every organization there is, and its clock may
 * be moved. Gone after that.
 */
export async function createOwnDatabase(): Promise<string> {
  const url = await createEmptyDatabase()
  await migrate({ url })
  return url
}

/** A database without tables, of the file's or the test's own. */
export async function createEmptyDatabase(): Promise<string> {
  const server = inject('databaseUrl')
  const url = new URL(server)
  url.pathname = `/own_${process.pid}_${Date.now()}_${count++}`
  const name = url.pathname.slice(1)
  await administer(server, `create database ${name}`)
  atEnd(() => administer(server, `drop database ${name} with (force)`))
  return url.href
}
