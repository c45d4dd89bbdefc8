import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { version as before } from '../../core/version.ts'
import { loadMigrations } from '../../database/migration-files.ts'
import { sectionOf } from './find-obstacles.ts'
import { findUnreleasedMigrations } from './find-unreleased-migrations.ts'

/*
 * `npm run release:prepare -- 1.2.3`: sets the version wherever it is named, puts the changelog's entries under a heading with
 * the version, and records the new migrations. After these changes are committed, `npm run release` makes the release.
 */

const [version = ''] = parseArgs({ allowPositionals: true }).positionals
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Usage: npm run release:prepare -- 1.2.3')
if (sectionOf(readFileSync('CHANGELOG.md', 'utf8'), 'Unreleased') === '')
  throw new Error('CHANGELOG.md has no entries below "## Unreleased".')

change('CHANGELOG.md', (text) => text.replace(/^## Unreleased$/m, `## Unreleased\n\n## ${version}`))
const list = 'src/tools/release/released-migrations.json'
const released = JSON.parse(readFileSync(list, 'utf8'))
const recorded = { ...released, ...findUnreleasedMigrations(await loadMigrations(), released) }
writeFileSync(list, `${JSON.stringify(recorded, null, 2)}\n`)

const tracked = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0')
const escaped = before.replaceAll('.', '\\.')
/**
 * The text before our version in file names, images, release folders and manifests. Other packages may have the same version.
 */
const precededBy = '(entitlements-[a-z]+|(client|cli|server))[-:]|/opt/entitlements-service/|ln -s '
const mentionedVersion = new RegExp(`(?<=${precededBy})${escaped}(?=\\.tgz|["\\s\`])`, 'g')
for (const path of tracked.filter((each) => /^(README\.md|docs\/.*|src\/.*\.md)$/.test(each))) {
  change(path, (text) => text.replace(mentionedVersion, version))
}
for (const path of tracked.filter((each) => each.startsWith('docs/operations/deploy/'))) {
  change(path, (text) =>
    text.replace(new RegExp(`((?:version|appVersion): "?)${escaped}(?="?$)`, 'gm'), `$1${version}`),
  )
}
const workspaces = ['', 'src/client/', 'src/entitlements-cli/', 'src/tools/client-api/']
for (const path of workspaces)
  change(`${path}package.json`, (text) => text.replace(`"version": "${before}"`, `"version": "${version}"`))
change('package-lock.json', (text) => {
  const lock = JSON.parse(text)
  lock.version = version
  for (const path of workspaces) lock.packages[path.replace(/\/$/, '')].version = version
  return `${JSON.stringify(lock, null, 2)}\n`
})
console.log(`The version is now ${version}. Next, run:

  npm run client:types && npx vitest run test/contract/examples.test.ts --update
  npm test && npm run test:system

Read the diff, commit it, and run npm run release.`)

function change(path: string, edit: (text: string) => string): void {
  const text = readFileSync(path, 'utf8')
  const edited = edit(text)
  if (edited !== text) writeFileSync(path, edited)
}
