import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { limitOf } from './test/support/limit-of.ts'

/*
 * `npm test` runs `unit`, `api` and `browser`; `npm run test:system` runs `system`. The folder of a test says to which project
 * it belongs: see docs/development.md, "Tests".
 */

const browserFolders = ['browser', 'console']
const systemFolders = [
  'audit-chain',
  'entitlements-cli',
  'generated-clients',
  'operations',
  'processes',
  'release',
  'start',
  'stories',
  'system',
]

/** Files that take more than half a minute: by several processes, by installing packages, by their waits or by many pages. */
const longFiles = [
  'system/(faults|pictures|layout-shift|docs-reading)',
  'processes',
  'generated-clients',
  'operations',
  '\\w+/packed',
  'worker/failover',
  'subscriber-tokens/changes',
  'console/(history|subscriber|overview)',
]
const longFile = new RegExp(`test/(${longFiles.join('|')})\\b`)
const isLong = ({ moduleId }: TestSpecification) => longFile.test(moduleId)

/** In each project: a long file that comes last would run alone, with nothing beside it. */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project)
    return Array.from(byProject.values(), (own) => own.toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)))).flat()
  }
}

const inFolders = (folders: readonly string[]) => folders.map((folder) => `test/${folder}/**/*.test.ts`)

/** With `--long`, random tests have 1,000 cases instead of 100, and `npm run test:system` runs those of all projects. */
const { RANDOM_RUNS } = process.env
const randomRuns = Number(RANDOM_RUNS ?? 100)

const findRandomTests = () =>
  globSync('test/**/*.test.ts').filter((path) => readFileSync(path, 'utf8').includes("/support/random.ts'"))

type Project = { name: string; include: string[]; exclude?: string[]; limitMs: number; globalSetup?: string }

function project({ limitMs: quietLimitMs, ...test }: Project) {
  const limitMs = limitOf(quietLimitMs)
  const testTimeout = limitMs * Math.max(1, randomRuns / 100)
  return {
    test: {
      ...test,
      setupFiles: [
        ...(test.name === 'browser' ? ['test/support/patient-database.ts'] : []),
        'test/support/patient-fetch.ts',
        ...(test.name === 'unit' ? [] : ['test/statements/setup.ts', 'test/support/cheap-passwords.ts']),
      ],
      testTimeout,
      // Some hooks of `system` install packages, which may come over a slow network.
      hookTimeout: test.name === 'system' ? limitOf(300_000) : limitMs,
      // Shorter than the test, so that what waits for a state says what it saw last.
      expect: { poll: { timeout: 0.8 * limitMs } },
      provide: { waitMs: 0.8 * limitMs, randomRuns },
      // The files of a worker share what they import: loading the server anew for each file took half of the processor's time.
      isolate: false,
      // Node imports the files itself, as the server does, in half the time. No test imports `.tsx`, which it cannot read.
      experimental: { viteModuleRunner: false, nodeLoader: false },
    },
  }
}

export default defineConfig({
  test: {
    // For all projects together: one PostgreSQL.
    globalSetup: 'test/support/global-setup.ts',
    maxWorkers: 4,
    sequence: { sequencer: LongFilesFirst },
    projects: [
      project({ name: 'unit', include: inFolders(['unit']), limitMs: 30_000 }),
      project({
        name: 'api',
        include: inFolders(['*']),
        exclude: inFolders(['unit', ...browserFolders, ...systemFolders]),
        limitMs: 30_000,
      }),
      // Whole stories in Chromium take up to 25 s on two cores, and a slower machine must not fail them.
      project({ name: 'browser', include: inFolders(browserFolders), limitMs: 60_000 }),
      // Processes start and stop, on a machine that may be busy.
      project({
        name: 'system',
        include: [...inFolders(systemFolders), ...(RANDOM_RUNS ? findRandomTests() : [])],
        limitMs: 120_000,
        globalSetup: 'test/support/built-service.ts',
      }),
    ],
  },
})
