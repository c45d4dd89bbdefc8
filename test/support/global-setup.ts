import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../src/database/migrate.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A migrated database for this test run. */
    databaseUrl: string
  }
}

/** TEST_DATABASE_URL names a server on which a database is made for this run and dropped after it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5999/postgres'
  const name = `test_${process.pid}_${Date.now()}`
  await administer(server, `create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  await migrate({ url: url.href })
  project.provide('databaseUrl', url.href)
  return () => administer(server, `drop database ${name} with (force)`)
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}
