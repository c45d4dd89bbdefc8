import { buildConsole } from './build-console.ts'

// `npm run console:build`, and the end of `npm ci`.
await buildConsole()
