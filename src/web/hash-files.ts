import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the service. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Hashes the paths and the contents of files. The paths are relative to the root. */
export function hashFiles(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  return hash.digest('hex')
}
