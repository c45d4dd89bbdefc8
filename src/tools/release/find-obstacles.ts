import type { Migration } from '../../database/migration-files.ts'
import { type Checksums, findUnreleasedMigrations } from './find-unreleased-migrations.ts'

type Candidate = {
  version: string
  /** The text of CHANGELOG.md. */
  changelog: string
  migrations: readonly Migration[]
  /** The content of released-migrations.json. */
  released: Checksums
  /** The names of the repository's Git tags. */
  tags: readonly string[]
  /** The names of the files in dist/release. */
  files: readonly string[]
}

/** The reasons why this version must not be released yet, as sentences. Throws if a released migration was changed. */
export function findObstacles({ version, changelog, migrations, released, tags, files }: Candidate): string[] {
  const unreleased = Object.keys(findUnreleasedMigrations(migrations, released))
  const tarball = `entitlements-service-server-${version}.tgz`
  const obstacles: [boolean, string][] = [
    [sectionOf(changelog, version) === '', `CHANGELOG.md has no entries in a section "## ${version}".`],
    [sectionOf(changelog, 'Unreleased') !== '', 'CHANGELOG.md has entries below "## Unreleased".'],
    [unreleased.length > 0, `released-migrations.json lacks ${unreleased.join(', ')}.`],
    [tags.some((tag) => [version, `v${version}`].includes(tag)), `Git already has a tag for version ${version}.`],
    [files.includes(tarball), `dist/release already has ${tarball}.`],
  ]
  return obstacles.flatMap(([isPresent, sentence]) => (isPresent ? [sentence] : []))
}

/** The text below the heading; empty if there is no such heading. */
export function sectionOf(changelog: string, heading: string): string {
  const sections = changelog.split(/^## /m)
  const section = sections.find((each) => each.split('\n', 1)[0]?.trim() === heading)
  return section?.slice(heading.length).trim() ?? ''
}
