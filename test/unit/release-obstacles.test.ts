import { expect, it } from 'vitest'
import { checksumOf, type Migration } from '../../src/database/migration-files.ts'
import { findObstacles } from '../../src/tools/release/find-obstacles.ts'

const [first, second] = ['1_first', '2_second'].map(
  (name): Migration => ({ name, sql: `create table ${name} ();`, runsBeside: null, runs: 'whole' }),
) as [Migration, Migration]
const ready = {
  version: '0.2.0',
  changelog: '# Changelog\n\n## Unreleased\n\n## 0.2.0\n\n- New.\n\n## 0.1.0\n\nThe first.\n',
  migrations: [first],
  released: { [first.name]: checksumOf(first.sql) },
  tags: ['v0.1.0'],
  files: ['entitlements-service-server-0.1.0.tgz'],
}

it('a version is released if its migrations are recorded and the list of unreleased changes is empty', () => {
  expect(findObstacles(ready)).toEqual([])
  expect(findObstacles({ ...ready, changelog: ready.changelog.replace('## Unreleased\n\n', '') })).toEqual([])
})

it.each([
  ['a migration that is not recorded', { migrations: [first, second] }, 'released-migrations.json lacks 2_second.'],
  [
    'entries under the heading of unreleased changes',
    { changelog: ready.changelog.replace('## Unreleased', '## Unreleased\n\n- More.') },
    'CHANGELOG.md has entries below "## Unreleased".',
  ],
  ['no entries for its own version', { version: '0.3.0' }, 'CHANGELOG.md has no entries in a section "## 0.3.0".'],
  ['an existing tag', { tags: ['v0.2.0'] }, 'Git already has a tag for version 0.2.0.'],
  ['an existing tag without v', { tags: ['0.2.0'] }, 'Git already has a tag for version 0.2.0.'],
  [
    'an existing file of its release',
    { files: ['entitlements-service-server-0.2.0.tgz'] },
    'dist/release already has entitlements-service-server-0.2.0.tgz.',
  ],
])('a version is not released with %s', (_what, change, obstacle) => {
  expect(findObstacles({ ...ready, ...change })).toEqual([obstacle])
})

it('a version is not released if a released migration was changed', () => {
  const changed = { ...first, sql: `${first.sql} -- better` }
  expect(() => findObstacles({ ...ready, migrations: [changed] })).toThrow(/were changed.*: restore 1_first,/)
})
