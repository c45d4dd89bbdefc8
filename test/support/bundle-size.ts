import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'

/**
 * The bytes, minified and gzipped, that a browser loads for this code, without the peer packages. The code is written into a
 * new folder in `parent`, and finds packages from there.
 */
export async function bundleSizeOf(parent: string, code: string): Promise<number> {
  const folder = await mkdtemp(join(parent, 'bundle-'))
  const input = join(folder, 'main.js')
  await writeFile(input, code)
  const isOther = (id: string) => !/^[./\0]/.test(id) && !id.startsWith('@entitlements-service/client')
  const output = (await build({
    configFile: false,
    logLevel: 'silent',
    root: folder,
    build: {
      write: false,
      target: 'es2022',
      modulePreload: { polyfill: false },
      rolldownOptions: { input, external: isOther, preserveEntrySignatures: 'strict' },
    },
  })) as Rolldown.RolldownOutput
  const chunks = output.output.filter((each) => each.type === 'chunk')
  return chunks.reduce((bytes, chunk) => bytes + gzipSync(chunk.code).length, 0)
}
