import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
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

/**
 * Copies a project of a test, such as `test/client/project`, into the folder `into`, with the packages of its package-lock.json.
 * They are installed once for each content of that file, and linked as `node_modules`: add none to them.
 */
export async function copyProject(project: string, into: string): Promise<void> {
  await cp(project, into, { recursive: true, filter: (path) => !path.includes('node_modules') })
  await symlink(await installPackages(project), join(into, 'node_modules'))
}

async function installPackages(project: string): Promise<string> {
  const lock = await readFile(join(project, 'package-lock.json'))
  const folder = resolve('dist/test-projects', createHash('sha256').update(lock).digest('hex').slice(0, 16))
  if (!existsSync(folder)) {
    await mkdir(dirname(folder), { recursive: true })
    const installing = await mkdtemp(`${folder}-`)
    for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
      if (existsSync(join(project, file))) await cp(join(project, file), join(installing, file))
    }
    await run(installing, 'npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund')
    // Whole or not at all; another worker may have been faster.
    await rename(installing, folder).catch(() => rm(installing, { recursive: true }))
  }
  return join(folder, 'node_modules')
}

/** Unpacks what `packWorkspace` made into the folder, as npm does when it installs the package there. */
export async function unpack(tarball: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await run(folder, 'tar', '--extract', '--gzip', '--strip-components', '1', '--file', tarball)
}
