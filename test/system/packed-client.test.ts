import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { atEnd } from '../support/at-end.ts'
import { bundleSizeOf } from '../support/bundle-size.ts'
import { builtPackage, run } from '../support/pack.ts'
import { startService } from '../support/service.ts'

/*
 * The package as its users get it: packed, and installed in projects of their own, which are copied so that nothing is installed
 * in the repository. They have TypeScript 5 and the oldest Node that the package supports.
 */

/** The time for installing and compiling, however slow the machine is. */
const workMs = 600_000
const service = await startService()
const project = await mkdtemp(join(tmpdir(), 'users-of-the-client-'))
atEnd(() => rm(project, { recursive: true, force: true }))
const modules = join(project, 'node_modules')
const systems = ['esm', 'cjs'] as const
const tarball = builtPackage('client')
/** The output of `main.js`. */
const answers = { limit: 5, plans: ['pro'], isNotFound: true }

type Manifest = { exports: Record<string, unknown>; dependencies?: object }
const manifest: Manifest = JSON.parse(await readFile('src/client/package.json', 'utf8'))
/** The names under which users import the package: `@entitlements-service/client`, `@entitlements-service/client/react`. */
const entries = Object.keys(manifest.exports)
  .filter((entry) => entry !== './package.json')
  .map((entry) => `@entitlements-service/client${entry.slice(1)}`)

beforeAll(async () => {
  await cp(new URL('../client/project', import.meta.url), project, {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  })
  const guide = await readFile('docs/guides/gate-your-first-feature.md', 'utf8')
  const [, code = ''] = /<!-- compiles: fastify -->\n```ts\n([\s\S]*?)```/.exec(guide) ?? []
  await writeFile(join(project, 'esm', 'guide.ts'), code)
  const installing = run(project, 'npm', 'ci', '--prefer-offline')
  await installing
  for (const system of systems) {
    await run(join(project, system), 'npm', 'install', '--offline', '--no-package-lock', '--legacy-peer-deps', tarball)
  }
}, workMs)

describe('the packed client', () => {
  it('depends on nothing', () => {
    expect(manifest.dependencies).toBeUndefined()
  })

  it('passes publint', async () => {
    await run(project, process.execPath, join(modules, '.bin/publint'), '--strict', tarball)
  })

  it('has the right types for every way to import it, according to @arethetypeswrong/cli', async () => {
    // Node before version 12 does not read `exports`, so it resolves only the first entry.
    await run(project, process.execPath, join(modules, '.bin/attw'), tarball, '--profile', 'node16')
  })
})

describe.each([
  ['Bun', 'bun', []],
  ['Deno', 'deno', ['run', '--allow-net', '--allow-read', '--allow-env']],
] as const)('%s', (_, program, parameters) => {
  it('runs the packed client', async ({ skip }) => {
    skip(spawnSync(program, ['--version']).error !== undefined, `${program} is not installed`)
    const { key } = await service.organization()

    const printed = await run(join(project, 'esm'), program, ...parameters, 'main.js', service.url, key)

    expect(JSON.parse(printed)).toEqual(answers)
  })
})

describe.each(systems)('in a project of %s modules', (system) => {
  const app = join(project, system)

  it.each([
    ['this Node', () => process.execPath],
    ['Node 18', () => join(modules, 'node/bin/node')],
  ])('%s runs the client', async (_, node) => {
    const { key } = await service.organization()

    const printed = await run(app, node(), 'main.js', service.url, key)

    expect(JSON.parse(printed)).toEqual(answers)
  })

  it('works with React 18, and with the current frameworks and SDKs', async () => {
    const gated = [200, 403, 503]
    const expected = {
      statuses: { express: gated, fastify: gated, hono: gated },
      react: ['18', '<p>5</p>'],
      limits: [5, 5],
    }

    expect(JSON.parse(await run(app, process.execPath, 'frameworks.js'))).toEqual(expected)
  })

  it.each(entries)('%s loads', async (entry) => {
    const load = system === 'esm' ? `await import('${entry}')` : `require('${entry}')`
    const code = `console.log(Object.keys(${load}).length)`
    const type = system === 'esm' ? 'module' : 'commonjs'

    expect(Number(await run(app, process.execPath, `--input-type=${type}`, '--eval', code))).toBeGreaterThan(0)
  })

  it.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])(
    "TypeScript 5 compiles the client's types and code that uses them, with module %s and resolution %s",
    async (...settings) => {
      const [module, moduleResolution] = settings
      const all = `${entries.map((entry, index) => `export * as entry${index} from '${entry}'`).join('\n')}\n`
      await writeFile(join(app, 'entries.ts'), all)

      // Typed keys apply to a whole program, so `typed.ts` and `untyped.ts` are compiled as separate programs.
      const typed = system === 'esm' && module === 'nodenext' ? [['typed.ts', 'frameworks.ts']] : []
      const guide = system === 'esm' ? ['guide.ts'] : []
      for (const files of [...typed, ['untyped.ts', 'entries.ts', ...guide]]) {
        const compilerOptions = {
          ...{ module, moduleResolution, strict: true, noEmit: true, exactOptionalPropertyTypes: true },
          ...{ target: 'es2022', lib: ['es2022', 'dom'], types: ['node'], typeRoots: [join(modules, '@types')] },
        }
        await writeFile(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
        await run(app, process.execPath, join(modules, '.bin/tsc'))
      }
    },
    workMs,
  )
})

it('the client with every operation is smaller than 14 kB', async () => {
  const app = join(project, 'esm')
  const sizes = Object.fromEntries(
    await Promise.all([
      ...entries.map(async (entry) => [entry, await bundleSizeOf(app, `export * from '${entry}'`)] as const),
      bundleSizeOf(app, "export { createEntitlements } from '@entitlements-service/client'").then((size) => [
        'createEntitlements',
        size,
      ]),
      bundleSizeOf(app, "export { createApi } from '@entitlements-service/client'").then((size) => ['createApi', size]),
    ]),
  )

  console.log(`Minified and gzipped, in bytes: ${JSON.stringify(sizes)}`)
  expect(sizes['@entitlements-service/client']).toBeGreaterThan(1000)
  expect(sizes['@entitlements-service/client']).toBeLessThan(14_000)
})
