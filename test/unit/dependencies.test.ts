import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
const { version, dependencies, optionalDependencies } = readJson('package.json')

const document = readFileSync('docs/dependencies.md', 'utf8')
/** The packages of each table of the document. */
const tables = document
  .split('| Package | MB | Why |')
  .slice(1)
  .map((table) => Array.from(table.matchAll(/^\| `(\S+)` \| [\d.]+ \| \w.{8,} \|$/gm), ([, name]) => name))

it('docs/dependencies.md lists each package of a release, with its size and the reason for it', () => {
  expect(tables).toEqual([Object.keys(dependencies), Object.keys(optionalDependencies)])
})

it.each(['README.md', 'docs/operations/install.md'])(
  '%s states the same total size as docs/dependencies.md',
  (page) => {
    const [, megabytes] = /all their dependencies: \d+ packages, (\d+) MB\s+installed/.exec(document) ?? []

    expect(readFileSync(page, 'utf8')).toMatch(new RegExp(`\\b${megabytes} MB (of|with its) packages`))
  },
)

it('the service, the client and the command line have the same version', () => {
  for (const part of ['client', 'entitlements-cli']) {
    expect(readJson(`src/${part}/package.json`).version, part).toBe(version)
  }
})
