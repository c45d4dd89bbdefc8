import { buildConsole } from './build-console.ts'

// `npm run console:build`, and the end of `npm ci`. With another NODE_ENV, as tests have it, the bundler would mix what React
// has for development into a build for production.
process.env.NODE_ENV = 'production'
await buildConsole()
