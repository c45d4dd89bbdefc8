import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import type { InlineConfig } from 'vite'
import { buildFolder, hashSources, sourceFolder, stampName } from '../../web/console-sources.ts'
import { dropUnusedStyles } from './drop-unused-styles.ts'

type BuildOptions = {
  /** Builds faster, with readable names, and with pages that reload after the next build. */
  development?: boolean
}

/**
 * Builds the console into `dist/console`: first beside it, then renames, so that a server always serves a whole build,
 * even when two processes build at the same time.
 */
export async function buildConsole({ development = false }: BuildOptions = {}): Promise<void> {
  const sources = hashSources()
  await mkdir(dirname(buildFolder), { recursive: true })
  const folder = await mkdtemp(`${buildFolder}-`)
  // A temporary folder is readable only by its owner; another user may run the service.
  await chmod(folder, 0o755)
  try {
    await bundle(folder, development)
    if (!development) {
      await dropUnusedStyles(folder)
      await compressAssets(folder)
    }
    await writeFile(
      join(folder, stampName),
      JSON.stringify({ sources: development ? `development ${sources}` : sources }),
    )
    await replaceBuild(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function bundle(outDir: string, development: boolean): Promise<void> {
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')])
  const config: InlineConfig = {
    configFile: false,
    root: sourceFolder,
    mode: development ? 'development' : 'production',
    logLevel: 'warn',
    plugins: [react()],
    define: { 'process.env.NODE_ENV': JSON.stringify(development ? 'development' : 'production') },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      minify: !development,
      // The page's policy allows data: URLs only for images.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1000,
    },
  }
  await build(config)
}

const compressible = new Set(['.js', '.css', '.svg'])

/** Compressed once here, so that serving an asset costs no more than reading a file. */
async function compressAssets(folder: string): Promise<void> {
  const assets = join(folder, 'assets')
  const names = (await readdir(assets)).filter((name) => compressible.has(extname(name)))
  await Promise.all(
    names.map(async (name) => {
      const path = join(assets, name)
      const bytes = await readFile(path)
      const quality = { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } }
      const [br, gz] = await Promise.all([promisify(brotliCompress)(bytes, quality), promisify(gzip)(bytes)])
      await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
    }),
  )
}

async function replaceBuild(folder: string): Promise<void> {
  const old = `${folder}-old`
  await rename(buildFolder, old).catch(ignore('ENOENT'))
  // Another process may have just put its own build of the same sources there.
  await rename(folder, buildFolder).catch(ignore('ENOTEMPTY', 'EEXIST'))
  await rm(old, { recursive: true, force: true })
}

function ignore(...codes: string[]): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (!codes.includes(error.code ?? '')) throw error
  }
}
