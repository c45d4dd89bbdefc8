import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { restRoutes } from '../../rest/routes.ts'
import {
  allImports,
  cliImports,
  consoleImports,
  files,
  findCycles,
  type Import,
  imports,
  isGeneratedFile,
  reachableFrom,
} from './imports.ts'
import { existingParts, folders, leavesItsPart, sharedCoreFiles } from './parts.ts'

/** The folders of the server, as layers from top to bottom. A file imports from its own folder and from lower layers. */
const layers: readonly (readonly string[])[] = [
  ['src/demo', 'src/tools'],
  ['composition'],
  ['src/relay'],
  ['rest', 'src/graphql', 'src/web', 'src/cli', 'worker'],
  ['src/modules'],
  ['src/operation'],
  ['src/changes'],
  ['src/recording', 'src/gate', 'src/events'],
  ['src/access', 'src/logging'],
  ['src/http'],
  ['src/database'],
  ['config', 'src/fairness', 'src/metrics'],
  ['src/processes', 'src/tracing'],
  ['src/core'],
  ['src/client'],
]

/** Files directly in `src` count as `config`, or as `composition`, which builds and starts everything. */
function topFolderOf(file: string): string {
  const [top = '', second = '', third] = file.split('/')
  if (top !== 'src') return top
  if (third !== undefined) return `${top}/${second}`
  return second.startsWith('config') ? 'config' : 'composition'
}

const layerOf = new Map(layers.flatMap((folders, layer) => folders.map((folder) => [folder, layer] as const)))

const moduleOf = (file: string) => /^src\/modules\/([^/]+)\//.exec(file)?.[1]
const textOf = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))

/** The functions that define operations which may change something: all except those for reads and evals. */
const definers = files
  .filter((file) => file.startsWith('src/operation/'))
  .flatMap((file) =>
    Array.from((textOf.get(file) as string).matchAll(/export function (define\w+)/g), ([, name = '']) => name),
  )
  .filter((name) => !/(Read|Eval)$/.test(name))

const defines = (file: string, definer: string) => new RegExp(`\\b${definer}[(<]`).test(textOf.get(file) ?? '')
const definesWrite = (file: string) =>
  moduleOf(file) !== undefined && definers.some((definer) => defines(file, definer))

/** Whether an import leads up, to another folder of the same layer, or to a folder without a layer. */
function leadsUp({ from, to }: Pick<Import, 'from' | 'to'>): boolean {
  const [own, other] = [topFolderOf(from), topFolderOf(to)]
  return own !== other && !((layerOf.get(own) as number) < (layerOf.get(other) ?? -1))
}

/** The only file that may import writes of other modules: it runs them, and rolls them back. */
const preview = 'src/modules/catalog/preview-catalog.ts'

function isWriteOfAnotherModule({ from, to }: Pick<Import, 'from' | 'to'>): boolean {
  if (from === preview) return false
  return moduleOf(from) !== undefined && moduleOf(from) !== moduleOf(to) && definesWrite(to)
}

function findOffences(isOffence: (each: Import) => boolean): string[] {
  return imports.filter(isOffence).map(({ from, to }) => `${from} imports ${to}`)
}

describe('imports', () => {
  it('are found in the files of the service, each of which belongs to a layer', () => {
    expect(files.length).toBeGreaterThan(200)
    expect(imports.length).toBeGreaterThan(1000)
    expect(files.filter((file) => !layerOf.has(topFolderOf(file)))).toEqual([])
  })

  it('lead to a lower layer or stay in the same folder, including type imports', () => {
    expect(findOffences(leadsUp)).toEqual([])
  })

  it.each([
    ['src/core/ids.ts', 'src/database/client.ts', true],
    ['src/gate/gate.ts', 'src/events/wakes.ts', true],
    ['rest/routes.ts', 'src/graphql/schema.ts', true],
    ['src/modules/plans/plan.ts', 'src/app.ts', true],
    ['src/app.ts', 'src/nowhere/else.ts', true],
    ['src/modules/plans/plan.ts', 'src/modules/features/feature.ts', false],
    ['worker/main.ts', 'src/core/ids.ts', false],
    ['src/database/client.ts', 'src/config.ts', false],
  ])('from %s to %s lead to a higher layer: %s', (from, to, expected) => {
    expect(leadsUp({ from, to })).toBe(expected)
  })

  it('never form a cycle of folders', () => {
    const folderOf = (file: string) => /^src\/(modules|gate)\/[^/]+(?=\/)/.exec(file)?.[0] ?? topFolderOf(file)
    expect(findCycles(imports.map(({ from, to }) => [folderOf(from), folderOf(to)]))).toEqual([])
  })

  it('never form a cycle of files, including type imports', () => {
    expect(findCycles(imports.map(({ from, to }) => [from, to]))).toEqual([])
  })

  it("never lead from a module to another module's writes", () => {
    expect(findOffences(isWriteOfAnotherModule)).toEqual([])
  })

  it('of writes are recognized, because the file of each write is found', () => {
    const writes = restRoutes.map(({ operation }) => operation).filter(({ kind }) => !/(read|eval)$/.test(kind))
    const isFound = (name: string) =>
      files.some((file) => definesWrite(file) && textOf.get(file)?.includes(`name: '${name}'`))

    expect(writes.length).toBeGreaterThan(40)
    expect(writes.map(({ name }) => name).filter((name) => !isFound(name))).toEqual([])
  })

  it.each(definers)('of files that call %s are reported in another module, but not in the same module', (definer) => {
    const to = files.find((file) => moduleOf(file) !== undefined && defines(file, definer)) as string

    expect(isWriteOfAnotherModule({ from: 'src/modules/another/one.ts', to })).toBe(true)
    expect(isWriteOfAnotherModule({ from: `src/modules/${moduleOf(to)}/one.ts`, to })).toBe(false)
  })

  it('that form a cycle are found, however long the cycle is', () => {
    const edges = ['a>b', 'b>c', 'c>a', 'd>a', 'e>f', 'f>e', 'g>g'].map((edge) => edge.split('>') as [string, string])

    expect(findCycles(edges)).toEqual([
      ['a', 'b', 'c'],
      ['e', 'f'],
    ])
  })
})

it('only src/tools imports development packages, so that a production install runs without them', () => {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const packages = Object.keys(devDependencies).join('|')
  const importsOne = new RegExp(`(from |import |import\\()'(${packages})['/]`)
  const importing = files.filter((file) => importsOne.test(readFileSync(file, 'utf8')))

  expect(importing.length).toBeGreaterThan(0)
  expect(importing.filter((file) => !file.startsWith('src/tools/'))).toEqual([])
})

it('a start loads the packages for metrics, traces and OpenID Connect only if these are configured', () => {
  const loaded = Map.groupBy(
    imports.filter(({ isType, isDynamic }) => !isType && !isDynamic),
    ({ from }) => from,
  )
  const next = new Map(Array.from(loaded, ([from, found]) => [from, new Set(found.map(({ to }) => to))] as const))
  const atStart = reachableFrom('src/start.ts', next)
  const importing = files.filter((file) =>
    /^(import (?!type ).*|\} )from '(prom-client|openid-client|@opentelemetry\/.*)'/m.test(textOf.get(file) ?? ''),
  )

  expect(atStart.size).toBeGreaterThan(300)
  expect(importing.length).toBeGreaterThan(3)
  expect(importing.filter((file) => atStart.has(file))).toEqual([])
})

describe('the parts (server, client, command line, console and tests)', () => {
  it('import from other parts only what is allowed', () => {
    const offences = allImports.filter(leavesItsPart)
    expect(offences.map(({ from, to }) => `${from} imports ${to}`)).toEqual([])
  })

  it.each([
    ['src/console/main.tsx', 'src/app.ts'],
    ['src/console/plans/list.tsx', 'rest/routes.ts'],
    ['src/client/index.ts', 'src/core/errors.ts'],
    ['src/client/index.ts', 'src/entitlements-cli/main.ts'],
    ['src/entitlements-cli/main.ts', 'src/core/errors.ts'],
    ['src/client/index.ts', 'src/console/main.tsx'],
    ['src/web/serve-console.ts', 'src/console/main.tsx'],
    ['worker/main.ts', 'test/support/service.ts'],
    ['src/app.ts', 'src/client/knowledge.ts'],
    ['src/console/main.tsx', 'test/support/service.ts'],
  ])('do not allow %s to import %s', (from, to) => {
    expect(leavesItsPart({ from, to })).toBe(true)
  })

  it.each([
    ['src/console/main.tsx', 'src/client/index.ts'],
    ['src/entitlements-cli/connection.ts', 'src/client/api/index.ts'],
    ['src/app.ts', 'rest/routes.ts'],
    ['src/relay/upstream.ts', 'src/client/knowledge.ts'],
    ['test/console/plans.test.tsx', 'src/console/main.tsx'],
    ['test/rest/plans.test.ts', 'worker/main.ts'],
  ])('allow %s to import %s', (from, to) => {
    expect(leavesItsPart({ from, to })).toBe(false)
  })

  it('are compiled separately, and `npm run types` compiles all of them', () => {
    const { references } = JSON.parse(readFileSync('tsconfig.json', 'utf8'))
    const paths = references.map(({ path }: { path: string }) => path)

    expect(paths.sort()).toEqual(existingParts.map((part) => folders[part]).sort())
    expect(paths.filter((path: string) => !existsSync(`${path}/tsconfig.json`))).toEqual([])
  })
})

/** The folders of the console, as layers from top to bottom; `composition` stands for the files directly in `src/console`. */
const consoleLayers = ['composition', 'pages', 'frame', 'components', 'session', 'generated', 'api', 'theme']

function consoleFolderOf(file: string): string {
  const [folder = '', ...below] = file.replace('src/console/', '').split('/')
  return below.length === 0 ? 'composition' : folder
}

const pageOf = (file: string) => /^src\/console\/pages\/([^/]+)\//.exec(file)?.[1]

function leadsUpInConsole({ from, to }: Pick<Import, 'from' | 'to'>): boolean {
  const [layer, other] = [from, to].map((file) => consoleLayers.indexOf(consoleFolderOf(file))) as [number, number]
  const isOtherPage = pageOf(from) !== pageOf(to) && layer === other && !to.endsWith('/routes.ts')
  return other < layer || (consoleLayers[layer] === 'pages' && isOtherPage)
}

describe('the layers of the console', () => {
  it('contain every file of the console', () => {
    expect(consoleImports.length).toBeGreaterThan(1000)
    expect(consoleImports.filter(({ from }) => !consoleLayers.includes(consoleFolderOf(from)))).toEqual([])
  })

  it('import only from the same layer or below, and from another page only its routes', () => {
    const own = consoleImports.filter(({ to }) => !sharedCoreFiles.includes(to))
    const offences = own.filter(leadsUpInConsole)
    expect(offences.map(({ from, to }) => `${from} imports ${to}`)).toEqual([])
  })

  it('have no cycle of files', () => {
    expect(findCycles(consoleImports.map(({ from, to }) => [from, to]))).toEqual([])
  })

  it.each([
    ['src/console/components/audit/entry-list.tsx', 'src/console/frame/rail.tsx'],
    ['src/console/session/viewer.ts', 'src/console/components/feedback/toast.tsx'],
    ['src/console/api/execute.ts', 'src/console/session/viewer.ts'],
    ['src/console/frame/sign-in-dialog.tsx', 'src/console/pages/sign-in/sign-in-page.tsx'],
    ['src/console/pages/join/join-page.tsx', 'src/console/pages/sign-in/sign-in-page.tsx'],
    ['src/console/pages/join/join-page.tsx', 'src/console/router.ts'],
  ])('do not allow %s to import %s', (from, to) => {
    expect(leadsUpInConsole({ from, to })).toBe(true)
  })

  it.each([
    ['src/console/pages/join/join-page.tsx', 'src/console/frame/sign-in-form.tsx'],
    ['src/console/pages/join/join-page.tsx', 'src/console/pages/sign-in/routes.ts'],
    ['src/console/components/form/server-form.tsx', 'src/console/components/api/form-api.tsx'],
    ['src/console/session/viewer.ts', 'src/console/api/execute.ts'],
  ])('allow %s to import %s', (from, to) => {
    expect(leadsUpInConsole({ from, to })).toBe(false)
  })
})

it('the command line has no cycle of files', () => {
  expect(cliImports.length).toBeGreaterThan(100)
  expect(findCycles(cliImports.map(({ from, to }) => [from, to]))).toEqual([])
})

describe('the APIs', () => {
  const apis = files.filter((file) => file.startsWith('rest/') || file.startsWith('src/graphql/'))

  it.each(apis)('call operations instead of the database: %s', (file) => {
    const text = readFileSync(file, 'utf8')

    expect(text).not.toMatch(/\$queryRaw|\$executeRaw|\$transaction|\bpool\.query|new PrismaClient/)
    expect(text).not.toMatch(/\bprisma\.\w+\.(find|create|update|delete|upsert|count|aggregate|groupBy)/)
    const clients = imports.filter(({ from, to, isType }) => from === file && isGeneratedFile(to) && !isType)
    // Allows the enums, which are part of the domain, and the types from which Pothos learns the fields of the models.
    expect(clients.map(({ to }) => to).filter((to) => !/\/(enums|pothos-types)\.ts$/.test(to))).toEqual([])
  })
})
