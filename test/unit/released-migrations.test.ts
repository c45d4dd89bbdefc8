import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { checksumOf, loadMigrations, type Migration } from '../../src/database/migration-files.ts'
import { findUnreleasedMigrations } from '../../src/tools/release/find-unreleased-migrations.ts'

const migration = (name: string, sql: string): Migration => ({ name, sql, runsBeside: null, runs: 'whole' })
const [first, second] = [migration('1_first', 'create table a ();\n'), migration('2_second', 'create table b ();\n')]
const released = { [first.name]: checksumOf(first.sql) }

it('the released migrations are unchanged', async () => {
  const list = JSON.parse(readFileSync('src/tools/release/released-migrations.json', 'utf8'))

  expect(Object.keys(list).length).toBeGreaterThanOrEqual(34)
  expect(() => findUnreleasedMigrations([], list)).toThrow('Released migrations were changed')
  findUnreleasedMigrations(await loadMigrations(), list)
})

it('a release records the checksums of its new migrations', () => {
  expect(findUnreleasedMigrations([first, second], released)).toEqual({ [second.name]: checksumOf(second.sql) })
  expect(findUnreleasedMigrations([first], released)).toEqual({})
})

it.each([
  ['was changed', [migration(first.name, `${first.sql}-- better`), second]],
  ['was renamed', [{ ...first, name: '1_renamed' }, second]],
])('a release is refused if a released migration %s', (_what, migrations) => {
  expect(() => findUnreleasedMigrations(migrations, released)).toThrow(/were changed.*: restore 1_first,/)
})
