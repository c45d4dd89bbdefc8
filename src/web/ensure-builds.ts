import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findBuiltHash, hashSources, sourceFolder } from './console-sources.ts'
import { findPackagesHash, hashPackageSources } from './package-sources.ts'

const builds = [
  { what: 'the console', script: 'console', findHash: findBuiltHash, hashNow: hashSources },
  { what: 'the packages', script: 'packages', findHash: findPackagesHash, hashNow: hashPackageSources },
]

type Options = { signal: AbortSignal; print: (text: string) => void }

/**
 * Builds the console, and the packages of the client and the command line, if their sources have changed since the last build.
 * The service starts even if this fails, because the APIs work without them. The bundler runs in its own process, so that its
 * memory is freed.
 */
export async function ensureBuilds({ signal, print }: Options): Promise<void> {
  // A release contains only the builds, and `npm run dev` builds by itself.
  if (process.env.BUILT_ELSEWHERE !== undefined || !existsSync(sourceFolder)) return
  for (const { what, script, findHash, hashNow } of builds) {
    try {
      if ((await findHash()) === hashNow()) continue
      print(`The sources of ${what} changed: building.`)
      const file = fileURLToPath(new URL(`../tools/${script}/build.ts`, import.meta.url))
      await promisify(execFile)(process.execPath, [file], { signal })
    } catch (error) {
      if (signal.aborted) return
      print(`Building ${what} failed. Run "npm run ${script}:build" to see why.\n${(error as Error).message}`)
    }
  }
}
