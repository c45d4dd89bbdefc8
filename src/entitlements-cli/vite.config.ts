import { defineConfig } from 'vite'

/** Bundles everything into one file: `npx` then installs no dependencies, and the service's own installation needs none. */
export default defineConfig({
  // `npm pack` prints JSON, which Vite's usual output must not precede.
  logLevel: 'warn',
  build: {
    ssr: 'main.ts',
    target: 'node20',
    rolldownOptions: { output: { codeSplitting: false } },
    // The licenses of the bundled packages.
    license: { fileName: 'LICENSES.md' },
  },
  ssr: { noExternal: true },
})
