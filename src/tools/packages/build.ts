import { buildPackages } from './build-packages.ts'

// `npm run packages:build`, and the end of `npm ci`. As with the console, another NODE_ENV would change the build.
process.env.NODE_ENV = 'production'
await buildPackages()
