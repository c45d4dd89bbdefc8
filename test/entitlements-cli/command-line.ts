import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from '../support/at-end.ts'
import { builtScript } from '../support/built-service.ts'
import { inheritedEnv } from '../support/inherited-env.ts'
import { until } from '../support/until.ts'

const main = builtScript('src/entitlements-cli/main.ts')

type CommandResult = { code: number | null; stdout: string; stderr: string }

type Settings = { env?: Record<string, string>; input?: string }

/** The command line in a folder of its own, against a service. */
export type CommandLine = {
  folder: string
  /** Runs a command to its end. */
  run(args: readonly string[], settings?: Settings): Promise<CommandResult>
  /** Runs the command with `--json`, and parses its output. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read documents of any shape.
  json(args: readonly string[], settings?: Settings): Promise<{ code: number | null; body: any }>
  /** Runs a command whose output nobody reads, and resolves to its exit code. */
  runUnread(args: readonly string[]): Promise<number | null>
  /** Starts a command on a terminal of its own; `stdout` has all of its output. */
  startOnTerminal(args: readonly string[]): Running & { type(text: string): void }
  /** Starts a command that does not end by itself. */
  start(args: readonly string[], settings?: Settings): Running
  read(file: string): string
  write(file: string, text: string): void
  env: Record<string, string>
}

type Running = {
  output(): CommandResult
  /** Resolves once the output matches this pattern; throws if the command ends first. */
  waitFor(pattern: RegExp): Promise<void>
  /** Ends the command if it still runs, and resolves to its exit code. */
  end(): Promise<number | null>
  /** Resolves to the exit code once the command has ended by itself. */
  ended(): Promise<number | null>
}

export function commandLineFor({ url, key }: { url: string; key: string }): CommandLine {
  const folder = mkdtempSync(join(tmpdir(), 'entitlements-cli-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const env = { ENTITLEMENTS_URL: url, ENTITLEMENTS_API_KEY: key }

  function launch(args: readonly string[], settings: Settings = {}): { child: ChildProcess; ran: CommandResult } {
    const child = spawn(process.execPath, [main, ...args], {
      cwd: folder,
      env: { ...inheritedEnv, ...env, ...settings.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    child.stdin?.end(settings.input ?? '')
    return { child, ran: collect(child) }
  }

  async function run(args: readonly string[], settings?: Settings): Promise<CommandResult> {
    const { child, ran } = launch(args, settings)
    const [code] = await once(child, 'close')
    return Object.assign(ran, { code })
  }

  return {
    folder,
    env,
    run,
    async json(args, settings) {
      const { code, stdout, stderr } = await run([...args, '--json'], settings)
      try {
        return { code, body: JSON.parse(stdout) }
      } catch {
        throw new Error(`${args.join(' ')} printed no JSON document: ${stdout}${stderr}`)
      }
    },
    async runUnread(args) {
      const { child } = launch(args)
      child.stdout?.destroy()
      child.stderr?.destroy()
      const [code] = await once(child, 'close')
      return code
    },
    startOnTerminal(args) {
      const command = [process.execPath, main, ...args].map((word) => `'${word}'`).join(' ')
      const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
        cwd: folder,
        env: { ...inheritedEnv, ...env, SHELL: '/bin/sh' } as NodeJS.ProcessEnv,
        stdio: ['pipe', 'pipe', 'pipe'],
      })
      return { ...toRunning({ child, ran: collect(child) }), type: (text) => void child.stdin.write(text) }
    },
    start: (args, settings) => toRunning(launch(args, settings)),
    read: (file) => readFileSync(join(folder, file), 'utf8'),
    write: (file, text) => writeFileSync(join(folder, file), text),
  }
}

function collect(child: ChildProcess): CommandResult {
  const ran: CommandResult = { code: null, stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text) => (ran.stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text) => (ran.stderr += text))
  return ran
}

function toRunning({ child, ran }: { child: ChildProcess; ran: CommandResult }): Running {
  const closed = once(child, 'close')
  async function end(): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await closed
    return child.exitCode
  }
  atEnd(async () => void (await end()))
  return {
    output: () => ran,
    async waitFor(pattern) {
      await until(() => pattern.test(ran.stdout + ran.stderr) || child.exitCode !== null)
      if (!pattern.test(ran.stdout + ran.stderr))
        throw new Error(`The command ended without ${pattern}: ${ran.stdout}${ran.stderr}`)
    },
    end,
    async ended() {
      await closed
      return child.exitCode
    },
  }
}
