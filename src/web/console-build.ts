import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { toEtag } from '../http/etag.ts'
import type { Precompressed } from '../http/precompressed.ts'
import { type ConsolePages, pagesName } from './console-pages.ts'
import { buildFolder, stampName } from './console-sources.ts'

/** The built console, in memory, so that no request opens a file. */
type ConsoleBuild = { document: string; pages: ConsolePages; assets: ReadonlyMap<string, Precompressed> }

const checkIntervalMs = 1_000

const contentTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
}
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** Returns a function that finds the current build, or null. The function notices a new build within a second. */
export function watchConsoleBuild(): () => Promise<ConsoleBuild | null> {
  let checkedAt = -checkIntervalMs
  let version: string | null = null
  let build: Promise<ConsoleBuild | null> = Promise.resolve(null)

  async function loadIfChanged(before: ConsoleBuild | null): Promise<ConsoleBuild | null> {
    const found = await findVersion()
    if (found !== null && found === version) return before
    try {
      const loaded = found === null ? null : await loadBuild()
      version = found
      return loaded
    } catch {
      // The build was just being replaced. The next check finds the new build.
      return before
    }
  }

  return () => {
    const now = performance.now()
    if (now - checkedAt >= checkIntervalMs) {
      checkedAt = now
      build = build.then(loadIfChanged)
    }
    return build
  }
}

/** A text that identifies the current build, or null. A build is always replaced as a whole. */
async function findVersion(): Promise<string | null> {
  const stamp = await stat(join(buildFolder, stampName)).catch(() => null)
  return stamp && `${stamp.ino} ${stamp.mtimeMs}`
}

async function loadBuild(): Promise<ConsoleBuild> {
  const folder = join(buildFolder, 'assets')
  const names = await readdir(folder)
  const read = async (name: string) => [name, await readFile(join(folder, name))] as const
  const files = new Map(await Promise.all(names.map(read)))
  const assets = Array.from(files, ([name, plain]) => [name, toAsset(name, plain, files)] as const)
  return {
    document: await readFile(join(buildFolder, 'index.html'), 'utf8'),
    pages: JSON.parse(await readFile(join(buildFolder, pagesName), 'utf8')),
    assets: new Map(assets.filter(([name]) => extname(name) in contentTypes)),
  }
}

function toAsset(name: string, plain: Buffer, files: ReadonlyMap<string, Buffer>): Precompressed {
  const encoded = encodings.flatMap(([encoding, extension]) => {
    const bytes = files.get(name + extension)
    return bytes ? [{ encoding, bytes }] : []
  })
  return {
    type: contentTypes[extname(name)] ?? 'application/octet-stream',
    etag: toEtag(plain.toString('latin1')),
    plain,
    encoded,
  }
}
