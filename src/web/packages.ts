import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { memoizeAsync } from '../core/memoize-async.ts'
import { version } from '../core/version.ts'
import { toEtag } from '../http/etag.ts'
import type { Precompressed } from '../http/precompressed.ts'
import { packageFolders, packagesFolder } from './package-sources.ts'

type Package = {
  /** `client` or `cli`. */
  name: string
  /** The hash in the format that npm, pnpm and yarn write into a lock file. */
  integrity: string
  tarball: Precompressed
}

/** The packages of the client and the command line, read once per process; empty if they are not built. */
export const loadPackages = memoizeAsync(async (): Promise<readonly Package[]> => {
  const found = await Promise.all(Object.keys(packageFolders).map(loadPackage))
  return found.flatMap((each) => each ?? [])
})

async function loadPackage(name: string): Promise<Package | null> {
  const plain = await readFile(join(packagesFolder, `${name}.tgz`)).catch(() => null)
  if (!plain) return null
  return {
    name,
    integrity: `sha512-${hash('sha512', plain, 'base64')}`,
    tarball: { type: 'application/gzip', etag: toEtag(plain.toString('latin1')), plain, encoded: [] },
  }
}

/** The names under which the package is served. */
export function filesOf({ name }: Package): readonly string[] {
  return [`${name}.tgz`, `${name}-${version}.tgz`]
}
