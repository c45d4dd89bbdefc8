import { globSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashFiles, root } from './hash-files.ts'

/** The folders of the packages that every server serves, by the name of the package's file. */
export const packageFolders = { client: 'src/client', cli: 'src/entitlements-cli' } as const

export const packagesFolder = join(root, 'dist/packages')

/** Contains the hash of the sources from which the packages were built. */
export const packagesStampName = 'sources.json'

/** Hashes the sources of the packages: their folders, the files that they share, and the scripts that build them. */
export function hashPackageSources(): string {
  const found = globSync('src/{client,entitlements-cli,core,tools/packages}/**', {
    cwd: root,
    exclude: ['**/dist', '**/node_modules'],
  })
  const sources = found.filter((path) => statSync(join(root, path)).isFile())
  return hashFiles([...sources.sort(), 'tsconfig.json', 'package-lock.json'])
}

/** The hash of the sources of the current packages; null if they are not built. */
export async function findPackagesHash(): Promise<string | null> {
  try {
    return JSON.parse(await readFile(join(packagesFolder, packagesStampName), 'utf8')).sources
  } catch {
    return null
  }
}
