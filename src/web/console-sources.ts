import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashFiles, root } from './hash-files.ts'

export const sourceFolder = join(root, 'src/console')
export const buildFolder = join(root, 'dist/console')
/** Scalar's script, which shows the REST reference. It is built with the console. */
export const scalarScript = join(buildFolder, 'scalar.js')

/** Contains the hash of the build's sources. It is an asset, so that pages can wait for the next build. */
export const stampName = 'assets/build.json'

const buildScripts = globSync('src/tools/console/*.ts', { cwd: root }).sort()

/** Hashes the console's sources, its build scripts and its packages. */
export function hashSources(): string {
  const sources = globSync('src/{console/**/*.*,core/file-format.ts,core/{catalog,import-file}/*.ts}', {
    cwd: root,
    exclude: ['**/*.md'],
  }).sort()
  return hashFiles([...sources, ...buildScripts, 'package-lock.json'])
}

/** The hash of the current build's sources; null without a build. */
export async function findBuiltHash(): Promise<string | null> {
  try {
    return JSON.parse(await readFile(join(buildFolder, stampName), 'utf8')).sources
  } catch {
    return null
  }
}
