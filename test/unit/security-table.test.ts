import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { namedAttacks } from '../tools/hostile/attacks.ts'

const text = readFileSync('docs/security.md', 'utf8')
const [, section = ''] = /## What one caller can request[^\n]*\n([\s\S]*?)\n## /.exec(text) ?? []
const rows = section
  .split('\n')
  .filter((line) => /^\| (?!-|What is requested)/.test(line))
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )

it('the table in docs/security.md names for each kind of request who is charged, and which attacks test the limit', () => {
  expect(rows.length).toBeGreaterThan(10)
  for (const row of rows) {
    expect(row, row[0]).toHaveLength(5)
    expect(row[1], row[0]).not.toBe('')
  }
  expect(rows.flatMap((row) => row[4]?.split('; ') ?? []).toSorted()).toEqual(
    namedAttacks.map(({ name }) => name).toSorted(),
  )
})
