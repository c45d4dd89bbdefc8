import { globSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashFiles, root } from './hash-files.ts'

/** The packages that every server serves, by the name of the file, with the folder of each. */
export const packageFolders = { client: 'src/client', cli: 'src/entitlements-cli' } as const

export const packagesFolder = join(root, 'dist/packages')

/** Holds the hash of the sources that the packages were made from. */
export const packagesStamp = 'sources.json'

/** Hashes the sources of the packages: their folders, the folder with the files that they share, the scripts that make them. */
export function hashPackageSources(): string {
  const found = globSync('src/{client,entitlements-cli,core,tools/packages}/**', {
    cwd: root,
    exclude: ['**/dist', '**/node_modules'],
  })
  const sources = found.filter((path) => statSync(join(root, path)).isFile())
  return hashFiles([...sources.sort(), 'tsconfig.json', 'package-lock.json'])
}

/** The hash of the sources of the packages that are built; null without them. */
export async function findPackagesHash(): Promise<string | null> {
  try {
    return JSON.parse(await readFile(join(packagesFolder, packagesStamp), 'utf8')).sources
  } catch {
    return null
  }
}
