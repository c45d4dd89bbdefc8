import { globSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { atEnd } from '../support/at-end.ts'

const pages = globSync('docs/operations/*.md').map((page) => [page, readFileSync(page, 'utf8')] as const)

/** Statements that create a role and its database have a test of their own. */
const reads = pages.flatMap(([page, text]) => {
  const blocks = Array.from(text.matchAll(/```sql\n(.*?)```/gs), ([, statements = '']) => statements)
  return blocks.filter((statements) => statements.startsWith('select')).map((statements) => [page, statements] as const)
})

describe('the pages for operators', () => {
  it.each(reads)('%s: PostgreSQL accepts %s', async (_page, statements) => {
    const client = new pg.Client({ connectionString: inject('databaseUrl') })
    atEnd(() => client.end())
    await client.connect()

    await expect(client.query(statements)).resolves.toBeDefined()
  })

  it.each(pages)('%s names only commands that exist', (_page, text) => {
    const scripts = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts)
    // Does not match `NAME`, which stands for any command.
    const named = Array.from(text.matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g), ([, name = '']) => name)

    expect(named.filter((name) => !scripts.includes(name))).toEqual([])
  })
})
