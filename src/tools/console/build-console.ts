import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import type { InlineConfig, Rolldown } from 'vite'
import { buildFolder, hashSources, scalarScript, sourceFolder, stampName } from '../../web/console-sources.ts'
import { replaceFolder } from '../replace-folder.ts'
import { dropUnusedStyles } from './drop-unused-styles.ts'
import { moduleGroups } from './group-modules.ts'
import { writePages } from './write-pages.ts'

type BuildOptions = {
  /** Builds faster, with readable names, and with pages that reload after the next build. */
  development?: boolean
}

/**
 * Builds the console beside `dist/console` and then renames it, so that a server always serves a complete build, even when two
 * processes build at the same time.
 */
export async function buildConsole({ development = false }: BuildOptions = {}): Promise<void> {
  const sources = hashSources()
  await mkdir(dirname(buildFolder), { recursive: true })
  const folder = await mkdtemp(`${buildFolder}-`)
  // A temporary folder is readable only by its owner; another user may run the service.
  await chmod(folder, 0o755)
  try {
    const chunks = await bundle(folder, development)
    await writeFile(join(folder, basename(scalarScript)), await readScalar())
    await writePages(folder, chunks, await bundleEarlyScript(folder, development))
    if (!development) {
      await dropUnusedStyles(folder)
      await compressAssets(folder)
    }
    await writeFile(
      join(folder, stampName),
      JSON.stringify({ sources: development ? `development ${sources}` : sources }),
    )
    await replaceFolder(buildFolder, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function bundle(outDir: string, development: boolean): Promise<Rolldown.OutputChunk[]> {
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')])
  const config = toViteConfig(outDir, development)
  const built = await build({
    ...config,
    plugins: [react()],
    build: {
      ...config.build,
      emptyOutDir: true,
      // On a slow connection each file costs a wait, so there is one stylesheet for all pages, and few scripts.
      cssCodeSplit: false,
      rolldownOptions: { output: { codeSplitting: { groups: moduleGroups } } },
    },
  })
  return chunksOf(built)
}

/** Bundles the script that runs before all others into one file. Returns the file's name. */
async function bundleEarlyScript(outDir: string, development: boolean): Promise<string> {
  const { build } = await import('vite')
  const config = toViteConfig(outDir, development)
  const output = { format: 'iife', entryFileNames: 'assets/early-[hash].js' } as const
  const built = await build({
    ...config,
    publicDir: false,
    build: {
      ...config.build,
      emptyOutDir: false,
      rolldownOptions: { input: join(sourceFolder, 'early.ts'), output },
    },
  })
  const [chunk] = chunksOf(built)
  if (!chunk) throw new Error('The build has no early script.')
  return chunk.fileName
}

function chunksOf(built: Awaited<ReturnType<typeof import('vite').build>>): Rolldown.OutputChunk[] {
  return [built].flat().flatMap((each) => ('output' in each ? each.output.filter((file) => file.type === 'chunk') : []))
}

function toViteConfig(outDir: string, development: boolean) {
  return {
    configFile: false,
    root: sourceFolder,
    mode: development ? 'development' : 'production',
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': JSON.stringify(development ? 'development' : 'production') },
    build: {
      outDir,
      target: 'es2023',
      minify: !development,
      // The page's policy allows data: URLs only for images.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1000,
    },
  } satisfies InlineConfig
}

/** The script that Scalar's plugin serves. The build stores it, so that no process needs the plugin in memory. */
async function readScalar(): Promise<string> {
  const [{ default: fastify }, { default: reference }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ])
  const app = fastify()
  await app.register(reference, { configuration: { url: '/openapi.json' } })
  const { body } = await app.inject('/reference/js/scalar.js')
  await app.close()
  return body
}

const compressible = new Set(['.js', '.css', '.svg'])

/** Compresses the assets at build time, so that serving one costs no more than reading a file. */
async function compressAssets(folder: string): Promise<void> {
  const assets = join(folder, 'assets')
  const names = (await readdir(assets)).filter((name) => compressible.has(extname(name)))
  await Promise.all(
    names.map(async (name) => {
      const path = join(assets, name)
      const bytes = await readFile(path)
      const quality = { params: { [zlib.BROTLI_PARAM_QUALITY]: 11 } }
      const [br, gz] = await Promise.all([promisify(brotliCompress)(bytes, quality), promisify(gzip)(bytes)])
      await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
    }),
  )
}
