import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

type Import = { from: string; to: string; isType: boolean }

const files = globSync(['src/**/*.ts', 'rest/**/*.ts', 'worker/**/*.ts']).filter(
  (file) => !file.includes('/generated/'),
)

/** Every import of a file of ours by another. */
const imports: Import[] = files.flatMap((from) =>
  Array.from(
    readFileSync(from, 'utf8').matchAll(/^(?:import|export)\s+(type\s)?[^'";]*?(?:from\s+)?'(\.[^']+)'/gm),
    ([, type, path]) => ({ from, to: normalize(join(dirname(from), path as string)), isType: type !== undefined }),
  ),
)

function offending(isOffence: (each: Import) => boolean): string[] {
  return imports.filter(isOffence).map(({ from, to }) => `${from} imports ${to}`)
}

const moduleOf = (file: string) => /^src\/modules\/([^/]+)\//.exec(file)?.[1]
const isGenerated = (file: string) => file.startsWith('src/database/generated/')
const isFieldFile = (file: string) => /^src\/modules\/.*\/graphql\.ts$/.test(file)
const isWrite = (file: string) => moduleOf(file) !== undefined && /defineWrite\(/.test(readFileSync(file, 'utf8'))

describe('imports', () => {
  it('are found at all', () => {
    expect(files.length).toBeGreaterThan(50)
    expect(imports.length).toBeGreaterThan(200)
  })

  it('of the core lead nowhere but to the core: it knows no nouns', () => {
    expect(offending(({ from, to }) => from.startsWith('src/core/') && !to.startsWith('src/core/'))).toEqual([])
  })

  it('run from the doors and the worker to the modules, never back', () => {
    const isDoor = (file: string) => file.startsWith('rest/') || file.startsWith('worker/')
    // The app builds both doors; the GraphQL door reads bodies and origins as REST does.
    const joins = ['src/app.ts', 'src/start.ts', 'src/graphql/door.ts']
    expect(offending(({ from, to }) => !isDoor(from) && isDoor(to) && !joins.includes(from))).toEqual([])
  })

  it('of a module lead to the GraphQL builder from its graphql.ts alone', () => {
    expect(
      offending(({ from, to }) => moduleOf(from) !== undefined && !isFieldFile(from) && to.startsWith('src/graphql/')),
    ).toEqual([])
  })

  it("never lead to another module's writes", () => {
    expect(
      offending(({ from, to }) => moduleOf(from) !== undefined && moduleOf(from) !== moduleOf(to) && isWrite(to)),
    ).toEqual([])
  })

  it('of a graphql.ts are for the schema, and for the graphql.ts that adds fields to its types', () => {
    expect(
      offending(({ from, to }) => isFieldFile(to) && !isFieldFile(from) && from !== 'src/graphql/schema.ts'),
    ).toEqual([])
  })
})

describe('the doors', () => {
  const doors = files.filter((file) => file.startsWith('rest/') || isFieldFile(file) || file.startsWith('src/graphql/'))

  it.each(doors)('ask operations, not the database: %s', (file) => {
    const text = readFileSync(file, 'utf8')

    expect(text).not.toMatch(/\$queryRaw|\$executeRaw|\$transaction|\bpool\.query|new PrismaClient/)
    expect(text).not.toMatch(/\bprisma\.\w+\.(find|create|update|delete|upsert|count|aggregate|groupBy)/)
    const clients = imports.filter(({ from, to, isType }) => from === file && isGenerated(to) && !isType)
    // Enums are the words of the domain; Pothos reads the shape of the models.
    expect(clients.map(({ to }) => to).filter((to) => !/\/(enums|pothos-types)\.ts$/.test(to))).toEqual([])
  })
})
