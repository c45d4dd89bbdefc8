import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { sourceFolder } from '../../web/console-sources.ts'
import { buildConsole } from './build-console.ts'

/*
 * `npm run dev`: restarts the server when one of its files changes, and rebuilds the console when one of its files changes;
 * open pages then reload. Address and content security policy are the same as in production.
 */

/** A copy made before Vite sets NODE_ENV in `process.env`: the server must not inherit that value. */
const environment = { ...process.env, BUILT_ELSEWHERE: 'true' }
const debounceMs = 100
let building: Promise<void> = Promise.resolve()
let debounceTimer: NodeJS.Timeout | undefined

function build(): Promise<void> {
  building = building.then(() => buildConsole({ development: true })).catch((error) => console.error(error.message))
  return building
}

await build()
const watcher = watch(sourceFolder, { recursive: true }, () => {
  clearTimeout(debounceTimer)
  debounceTimer = setTimeout(build, debounceMs)
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
