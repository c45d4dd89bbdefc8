import { defineConfig } from 'vite'

/** One file with everything in it: `npx` installs nothing else, and the service's own installation has none of it. */
export default defineConfig({
  // npm prints what it packed as JSON.
  logLevel: 'warn',
  build: {
    ssr: 'main.ts',
    target: 'node20',
    rolldownOptions: { output: { codeSplitting: false } },
    // Those of the packages in it.
    license: { fileName: 'LICENSES.md' },
  },
  ssr: { noExternal: true },
})
