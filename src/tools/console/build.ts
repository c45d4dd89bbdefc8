import { buildConsole } from './build-console.ts'

// Run by `npm run console:build`, and at the end of `npm ci`. With another NODE_ENV, as in tests, the bundler would mix React's
// development code into a production build.
process.env.NODE_ENV = 'production'
await buildConsole()
