import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Those with several processes, or that install packages, take minutes. */
const isLong = ({ moduleId }: TestSpecification) =>
  /test\/(faults|processes|generated-clients|(entitlements-cli|client|release)\/packed)\b/.test(moduleId)

/** A long file that comes last would run alone, with nothing beside it. */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  // As Node resolves it: Vite would bring a second instance, its ES module, beside that of Pothos.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/patient-fetch.ts', 'test/statements/setup.ts'],
    globalSetup: 'test/support/global-setup.ts',
    // Only what hangs takes as long: on a slow machine, some tests need minutes.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 180_000 } },
    maxWorkers: 4,
    sequence: { sequencer: LongFilesFirst },
    // The files of a worker share what they import: loading the server anew for each file took half of the processor's time.
    isolate: false,
  },
})
