import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

export const sourceFolder = join(root, 'src/console')
export const buildFolder = join(root, 'dist/console')

/** Holds the hash of the build's sources; it is an asset, so that pages can wait for the next build. */
export const stampName = 'assets/build.json'

const buildScripts = globSync('src/tools/console/*.ts', { cwd: root }).sort()

/** Hashes the console's sources, its build scripts and its packages. */
export function hashSources(): string {
  const hash = createHash('sha256')
  const sources = globSync('src/console/**/*.*', { cwd: root, exclude: ['**/*.md'] }).sort()
  for (const file of [...sources, ...buildScripts, 'package-lock.json']) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

/** The hash of the current build's sources; null without a build. */
export async function findBuiltHash(): Promise<string | null> {
  try {
    return JSON.parse(await readFile(join(buildFolder, stampName), 'utf8')).sources
  } catch {
    return null
  }
}
