import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const page = readFileSync('docs/decisions/0058-where-sql-is-written-by-hand.md', 'utf8')
const listed = Array.from(page.matchAll(/^\| `((?:src|worker)[\w./-]*)` \|/gm), ([, path = '']) => path)

/**
 * Matches calls that take a statement, and statements as text. Does not match calls of the helpers that build statements from
 * tables and rows.
 */
const isSql =
  /\$(queryRaw|executeRaw)\w*|\bPrisma\.sql`|\bquery`|\bquery\(`|\btext: `\s*(select|insert|update|delete|with)\b|\.query\(\s*[`'"]/
const files = globSync('{src,rest,worker}/**/*.ts', {
  exclude: (name) => /generated|node_modules|^src\/(client|console|entitlements-cli|tools)\b/.test(name),
}).filter((file) => !/generated|node_modules|^src\/(client|console|entitlements-cli|tools)\//.test(file))
const withSql = files.filter((file) => isSql.test(readFileSync(file, 'utf8')))
const isWithin = (file: string, path: string) => file === path || file.startsWith(`${path}/`)

it('SQL is written by hand only in files for which the decision states a reason', () => {
  expect(withSql.length).toBeGreaterThan(100)

  expect(withSql.filter((file) => !listed.some((path) => isWithin(file, path)))).toEqual([])
})

it('the decision lists no files without SQL', () => {
  expect(listed.length).toBeGreaterThan(50)

  expect(listed.filter((path) => !withSql.some((file) => isWithin(file, path)))).toEqual([])
})
