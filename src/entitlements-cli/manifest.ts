import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The package's own package.json, found by its name, because the sources and `dist` are in different folders. */
export const manifest: { name: string; version: string } = JSON.parse(
  readFileSync(fileURLToPath(import.meta.resolve('@entitlements-service/cli/package.json')), 'utf8'),
)
