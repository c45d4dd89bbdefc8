import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../support/free-port.ts'
import { limitOf } from '../../support/limit-of.ts'
import { testMasterKey } from '../../support/master-key.ts'
import type { ServerReport } from './report-cpu.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The heap limit of the process. */
const heapMegabytes = 512

const startTimeoutMs = limitOf(60_000)
/** A process that collects the garbage of an attack on a busy machine may need more than half a minute. */
const answerTimeoutMs = limitOf(120_000)
const stopTimeoutMs = limitOf(20_000)

/** A service configured as on a developer's machine, or as in production behind a proxy; or a relay of the former. */
export type Variant = 'development' | 'production' | 'relay'

const environments: Record<Exclude<Variant, 'relay'>, Record<string, string>> = {
  // Receivers on this machine act as attackers too.
  development: { WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' },
  production: { NODE_ENV: 'production', TRUST_PROXY: 'true', SIGN_UP: 'open' },
}

/** The flags of `npm start`, with the heap limit. */
function startArguments(): string[] {
  const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'))
  const words = (scripts.start as string).split(' ')
  const reporter = new URL('report-cpu.ts', import.meta.url).href
  return [`--max-old-space-size=${heapMegabytes}`, `--import=${reporter}`, ...words.slice(words.indexOf('node') + 1)]
}

type Process = { port: number; issuerPort: number; words?: string[]; env: Record<string, string> }

/** The issuer in the outside provider's tokens; an attack may listen there. */
export function issuerOf(port: number): string {
  return `http://127.0.0.1:${port}`
}

/** A process of the service, restarted on the same port after an attack ended it. */
export class Server {
  readonly port: number
  /** The address where the server fetches an external provider's keys. */
  readonly issuerPort: number
  readonly #words: readonly string[]
  readonly #env: Record<string, string>
  #child: ChildProcess | null = null
  #output = ''
  /** Why the process ended by itself; null while it runs. */
  ended: string | null = null
  #listeners: (() => void)[] = []

  private constructor({ port, issuerPort, words = [], env }: Process) {
    this.port = port
    this.issuerPort = issuerPort
    this.#words = words
    this.#env = env
  }

  static async start(variant: keyof typeof environments, databaseUrl: string): Promise<Server> {
    const [port, issuerPort] = [await findFreePort(), await findFreePort()]
    const issuer = issuerOf(issuerPort)
    const env = {
      DATABASE_URL: databaseUrl,
      MASTER_KEY: testMasterKey,
      EVAL_RATE_LIMIT_PER_SECOND: '1000',
      EVAL_MONTHLY_ALLOTMENT: 'unlimited',
      AUTH_JWKS_URL: `${issuer}/jwks`,
      AUTH_ISSUER: issuer,
      AUTH_AUDIENCE: 'entitlements',
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: 'entitlements',
      OIDC_CLIENT_SECRET: 'a secret of the attacks',
      ...environments[variant],
    }
    return Server.#run({ port, issuerPort, env })
  }

  /** A relay of this service, which takes its own key as token. */
  static async startRelay({ port, issuerPort }: Server, key: string): Promise<Server> {
    const env = { RELAY_UPSTREAM_URL: `http://127.0.0.1:${port}`, ENTITLEMENTS_API_KEY: key, RELAY_TOKENS: key }
    return Server.#run({ port: await findFreePort(), issuerPort, words: ['relay'], env })
  }

  static async #run(process: Process): Promise<Server> {
    const server = new Server(process)
    await server.restart()
    return server
  }

  get pid(): number {
    return this.#child?.pid as number
  }

  async restart(): Promise<void> {
    this.ended = null
    this.#listeners = []
    const child = spawn(process.execPath, [...startArguments(), ...this.#words], {
      cwd: root,
      env: { PATH: process.env.PATH, PORT: `${this.port}`, LOG_LEVEL: 'warn', ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    this.#child = child
    const keep = (chunk: unknown) => {
      this.#output = (this.#output + chunk).slice(-20_000_000)
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    child.once('exit', (code, signal) => {
      this.ended = `the process ended (${signal ?? code})`
      for (const listener of this.#listeners) listener()
    })
    await this.#waitUntilReady()
  }

  /** Called when the process ends before `stop`. */
  onEnd(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** The resources that the process has used so far, and its routes. */
  report(): Promise<ServerReport> {
    return this.#ask('report')
  }

  /** Collects garbage, which an idle process keeps, so that only used memory is measured. */
  async collectGarbage(): Promise<void> {
    await this.#ask('collect')
  }

  async #ask(question: 'report' | 'collect'): Promise<ServerReport> {
    const child = this.#child as ChildProcess
    const reported = once(child, 'message', { signal: AbortSignal.timeout(answerTimeoutMs) })
    child.send(question)
    const [report] = await reported
    return report
  }

  /** The output of the process since the last call. */
  takeOutput(): string {
    const output = this.#output
    this.#output = ''
    return output
  }

  async stop(): Promise<void> {
    const child = this.#child
    this.#listeners = []
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
    await exit
    clearTimeout(timer)
  }

  async #waitUntilReady(): Promise<void> {
    for (const endsAt = performance.now() + startTimeoutMs; performance.now() < endsAt; ) {
      if (this.ended) throw new Error(`${this.ended} before it was ready:\n${this.#output.slice(-2000)}`)
      const ready = await fetch(`http://127.0.0.1:${this.port}/readyz`).catch(() => null)
      if (ready?.status === 200) return
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    throw new Error(`the service is not ready after ${startTimeoutMs / 1000} s`)
  }
}
