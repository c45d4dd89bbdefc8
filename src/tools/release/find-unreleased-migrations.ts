import { checksumOf, hasChecksum, type Migration } from '../../database/migration-files.ts'

/** Names and checksums of migrations, as in released-migrations.json. */
export type Checksums = Record<string, string>

/** The migrations that are in no release yet. Throws if a released migration was changed, renamed or removed. */
export function findUnreleasedMigrations(migrations: readonly Migration[], released: Checksums): Checksums {
  const changed = Object.entries(released).filter(([name, checksum]) => {
    const migration = migrations.find((each) => each.name === name)
    return !migration || !hasChecksum(migration, checksum)
  })
  if (changed.length > 0) {
    const names = changed.map(([name]) => name).join(', ')
    throw new Error(
      `Released migrations were changed. Databases that have run them would refuse the new version: restore ${names}, and write a new migration for each change.`,
    )
  }
  const unreleased = migrations.filter(({ name }) => !(name in released))
  return Object.fromEntries(unreleased.map(({ name, sql }) => [name, checksumOf(sql)]))
}
