import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { madeOnce } from '../../src/core/made-once.ts'
import { type Precompressed, precompress } from '../../src/http/precompressed.ts'

/** The scripts of the reference's page by their names: our own, and Scalar's. Each is read and compressed for its first request. */
export function findScripts(): ReadonlyMap<string, () => Promise<Precompressed>> {
  const folders = [fileURLToPath(new URL('browser/', import.meta.url)), ...findScalar()]
  return new Map(
    folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.js'))
        .map((name) => [
          name,
          madeOnce(async () =>
            precompress(await readFile(join(folder, name), 'utf8'), 'text/javascript; charset=utf-8'),
          ),
        ]),
    ),
  )
}

/** The folder of Scalar's scripts in a checkout. A release has them beside ours, and not the package. */
export function findScalar(): string[] {
  try {
    return [join(dirname(createRequire(import.meta.url).resolve('@scalar/api-reference')), 'browser')]
  } catch {
    return []
  }
}
