import { defineConfig } from 'vite'

/** One file with everything in it: `npx` installs no dependencies, and the service's own installation needs none of them. */
export default defineConfig({
  // npm prints the packed file as JSON.
  logLevel: 'warn',
  build: {
    ssr: 'main.ts',
    target: 'node20',
    rolldownOptions: { output: { codeSplitting: false } },
    // The licenses of the packages in it.
    license: { fileName: 'LICENSES.md' },
  },
  ssr: { noExternal: true },
})
