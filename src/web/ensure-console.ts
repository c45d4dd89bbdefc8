import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findBuiltHash, hashSources, sourceFolder } from './console-sources.ts'

const buildScript = fileURLToPath(new URL('../tools/console/build.ts', import.meta.url))

type Options = { signal: AbortSignal; print: (text: string) => void }

/**
 * Builds the console if its sources changed since the last build. After a failure the service starts all the same, because
 * the APIs work without a console. The bundler runs in its own process, so that its memory is freed.
 */
export async function ensureConsole({ signal, print }: Options): Promise<void> {
  try {
    if (await isUpToDate()) return
    print('The sources of the console changed: building it.')
    await promisify(execFile)(process.execPath, [buildScript], { signal })
  } catch (error) {
    if (signal.aborted) return
    print(`The console could not be built. Run "npm run console:build" to see why.\n${(error as Error).message}`)
  }
}

/** A release contains only the build, and `npm run dev` builds by itself. */
async function isUpToDate(): Promise<boolean> {
  if (process.env.CONSOLE_BUILT_ELSEWHERE !== undefined || !existsSync(sourceFolder)) return true
  return (await findBuiltHash()) === hashSources()
}
