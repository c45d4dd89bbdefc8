import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { atEnd } from '../../support/at-end.ts'
import { inheritedEnv } from '../../support/inherited-env.ts'
import { run } from '../../support/pack.ts'

/** How to run the code of a page in `docs/guides/without-the-client`. */
export type Language = {
  name: string
  fence: string
  /** Null if a program that it needs is not installed. */
  command: readonly string[] | null
  /** Writes the code with its driver, and compiles it. */
  write(folder: string, code: string): Promise<void>
}

const has = (program: string, ...parameters: string[]) => spawnSync(program, parameters).status === 0
const drive = (name: string) => readFile(new URL(name, import.meta.url), 'utf8')
const jars = ['core', 'databind', 'annotations'].map((part) => `/usr/share/java/jackson-${part}.jar`)

export const languages: Language[] = [
  {
    name: 'python',
    fence: 'python',
    command: has('python3', '--version') ? ['python3', 'program.py'] : null,
    write: async (folder, code) => writeFile(join(folder, 'program.py'), `${code}\n${await drive('drive.py')}`),
  },
  {
    name: 'ruby',
    fence: 'ruby',
    command: has('ruby', '--version') ? ['ruby', 'program.rb'] : null,
    write: async (folder, code) => writeFile(join(folder, 'program.rb'), `${code}\n${await drive('drive.rb')}`),
  },
  {
    name: 'php',
    fence: 'php',
    command: has('php', '--version') ? ['php', '-d', 'display_errors=stderr', 'program.php'] : null,
    write: async (folder, code) => writeFile(join(folder, 'program.php'), `${code}\n${await drive('drive.php')}`),
  },
  {
    name: 'go',
    fence: 'go',
    command: has('go', 'version') ? ['./program'] : null,
    async write(folder, code) {
      await mkdir(join(folder, 'entitlements'))
      await writeFile(join(folder, 'entitlements', 'entitlements.go'), code)
      await writeFile(join(folder, 'main.go'), await drive('drive.go'))
      await writeFile(join(folder, 'go.mod'), 'module example.org/guide\n\ngo 1.19\n')
      await run(folder, 'go', 'vet', './...')
      await run(folder, 'go', 'build', '-o', 'program')
    },
  },
  {
    name: 'java',
    fence: 'java',
    command:
      has('javac', '--version') && jars.every(existsSync) ? ['java', '-cp', ['.', ...jars].join(':'), 'Drive'] : null,
    async write(folder, code) {
      await writeFile(join(folder, 'Drive.java'), `${code}\n${await drive('Drive.java')}`)
      await run(folder, 'javac', '-encoding', 'UTF-8', '-cp', jars.join(':'), 'Drive.java')
    },
  },
]

/** The pieces of code on a page, without the first, which shows how to use the others. */
export function piecesOf({ name, fence }: Pick<Language, 'name' | 'fence'>): string[] {
  const page = readFileSync(`docs/guides/without-the-client/${name}.md`, 'utf8')
  const all = Array.from(
    page.matchAll(new RegExp(`^\`\`\`${fence}\n([\\s\\S]*?)^\`\`\``, 'gm')),
    ([, code = '']) => code,
  )
  return all.slice(1)
}

/** The folder with the program, for all tests of the file. */
export async function build(language: Language): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `guide-${language.name}-`))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  await language.write(folder, piecesOf(language).join('\n'))
  return folder
}

/** A running program: each call writes a line of JSON, and resolves to the line that answers it. */
export function start({ command }: Language, folder: string) {
  const [program = '', ...parameters] = command ?? []
  const child = spawn(program, parameters, { cwd: folder, env: inheritedEnv, stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let last: Promise<unknown> = Promise.resolve()
  return (...words: unknown[]): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify(words)}\n`)
    last = last.then(async () => JSON.parse((await lines.next()).value as string))
    return last
  }
}
