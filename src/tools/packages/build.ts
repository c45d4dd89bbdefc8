import { buildPackages } from './build-packages.ts'

// Run by `npm run packages:build`, and at the end of `npm ci`. As with the console, another NODE_ENV would change the build.
process.env.NODE_ENV = 'production'
await buildPackages()
