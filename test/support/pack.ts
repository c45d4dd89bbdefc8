import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'

/** Runs a program in the folder; an error has what it printed. */
export function run(cwd: string, file: string, ...parameters: string[]): Promise<string> {
  return runWith({}, cwd, file, ...parameters)
}

/** The same, with these variables as well. */
export async function runWith(
  variables: Record<string, string>,
  cwd: string,
  file: string,
  ...parameters: string[]
): Promise<string> {
  const settings = { cwd, env: { ...process.env, ...variables }, maxBuffer: 16 * 1024 * 1024 }
  const running = promisify(execFile)(file, parameters, settings)
  const { stdout } = await running.catch(({ stdout, stderr }) => {
    throw new Error(`${basename(file)} ${parameters.join(' ')} failed:\n${stdout}${stderr}`)
  })
  return stdout
}

/**
 * Builds and packs the workspace `src/<name>` in a copy, since other tests may read its folder meanwhile. Returns the path of
 * the package, in the folder `into`. `others` are the folders of `src` that it is compiled with.
 */
export async function packWorkspace(name: string, into: string, others: readonly string[] = []): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'pack-'))
  try {
    const workspace = join(copy, 'src', name)
    await cp('tsconfig.json', join(copy, 'tsconfig.json'))
    await symlink(resolve('node_modules'), join(copy, 'node_modules'))
    await mkdir(join(copy, 'src'))
    await cp('src/tsconfig.json', join(copy, 'src/tsconfig.json'))
    const isSource = (path: string) => !/\/(dist|node_modules)$/.test(path)
    for (const each of [name, ...others]) {
      await cp(join('src', each), join(copy, 'src', each), { recursive: true, filter: isSource })
    }
    const [packed] = JSON.parse(await run(workspace, 'npm', 'pack', '--json', '--silent', '--pack-destination', into))
    return join(into, packed.filename)
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}
