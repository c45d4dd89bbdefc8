import { defineConfig } from 'vitest/config'

export default defineConfig({
  // As Node resolves it: Vite would bring a second instance, its ES module, beside that of Pothos.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: 'test/statements/setup.ts',
    globalSetup: 'test/support/global-setup.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 25_000 } },
    maxWorkers: 4,
    // The files of a worker share what they import: loading the server anew for each file took half of the processor's time.
    isolate: false,
  },
})
