import { defineConfig } from 'vite'

/** Bundles everything into one file: `npx` then installs no dependencies, and the service's own installation needs none. */
export default defineConfig({
  // npm prints the packed file as JSON.
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
