import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { buildConsole } from './build-console.ts'
import { sourceFolder } from './console-sources.ts'

/*
 * `npm run dev`: the server, started again when a file of it changes, and the console, built again when one of its files
 * changes. Open pages reload by themselves then. Both under one address and the same policy as in production.
 */

/** As it was given: Vite sets NODE_ENV for itself. */
const environment = { ...process.env, CONSOLE_BUILT_ELSEWHERE: 'true' }
const afterLastChangeMs = 100
let building: Promise<void> = Promise.resolve()
let waiting: NodeJS.Timeout | undefined

function build(): Promise<void> {
  building = building.then(() => buildConsole({ development: true })).catch((error) => console.error(error.message))
  return building
}

await build()
const watcher = watch(sourceFolder, { recursive: true }, () => {
  clearTimeout(waiting)
  waiting = setTimeout(build, afterLastChangeMs)
})

const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'src/main.ts'], {
  stdio: 'inherit',
  env: environment,
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => server.kill(signal))
server.on('close', (code) => {
  watcher.close()
  process.exit(code ?? 1)
})
