import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { findFreePort } from './free-port.ts'

export type ProxyName = 'haproxy' | 'nginx'

/**
 * Returns the text of a proxy's configuration; for nginx, the contents of its `http` block. `folder` is for other files that
 * the proxy reads.
 */
type Configuration = (port: number, folder: string) => string

/** The command of the installed proxy, or null if it is not installed. */
export function findProxy(name: ProxyName): string | null {
  return [name, `/usr/sbin/${name}`].find((path) => spawnSync(path, ['-v']).status === 0) ?? null
}

/** Runs the proxy; resolves when a process behind it is ready. */
export async function startProxyProgram(
  name: ProxyName,
  configure: Configuration,
): Promise<{ url: string; end(): Promise<void> }> {
  const [port, folder] = [await findFreePort(), mkdtempSync(join(tmpdir(), 'entitlements-proxy-'))]
  chmodSync(folder, 0o755)
  mkdirSync(join(folder, 'logs'))
  const file = join(folder, 'proxy.conf')
  const text = configure(port, folder)
  writeFileSync(file, name === 'nginx' ? aroundHttp(text, folder) : text)
  const args = name === 'nginx' ? ['-e', 'stderr', '-p', folder, '-c', file] : ['-db', '-f', file]
  const child = spawn(findProxy(name) as string, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  async function end(): Promise<void> {
    if (child.exitCode === null) {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${port}`
  while ((await fetch(`${url}/readyz`).catch(() => null))?.ok !== true) {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${errors}`)
    await wait(50)
  }
  return { url, end }
}

function aroundHttp(http: string, folder: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  return `daemon off;\npid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${http}\n}\n`
}
