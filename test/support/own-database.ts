import pg from 'pg'
import { inject } from 'vitest'
import { administer } from './administer.ts'
import { atEnd } from './at-end.ts'

let count = 0

/**
 * A migrated database only for the file or the test, dropped afterwards: a worker serves every organization in its
 * database, and the test may move the worker's clock.
 */
export function createOwnDatabase(): Promise<string> {
  return create(inject('templateDatabase'))
}

/** A database without tables, for the file or the test. */
export function createEmptyDatabase(): Promise<string> {
  return create('template1')
}

async function create(template: string): Promise<string> {
  const server = inject('databaseUrl')
  const url = new URL(server)
  url.pathname = `/own_${process.pid}_${Date.now()}_${count++}`
  const name = url.pathname.slice(1)
  await administer(server, `create database ${name} template ${template}`)
  atEnd(() => dropDatabase(server, name))
  return url.href
}

/** Uses force only after the five seconds that PostgreSQL waits: a pool that has ended may still be closing connections. */
async function dropDatabase(server: string, name: string): Promise<void> {
  try {
    await administer(server, `drop database ${name}`)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '55006') throw error
    await administer(server, `drop database ${name} with (force)`)
  }
}
