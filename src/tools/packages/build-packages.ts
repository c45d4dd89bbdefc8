import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../../web/hash-files.ts'
import { hashPackageSources, packageFolders, packagesFolder, packagesStampName } from '../../web/package-sources.ts'
import { replaceFolder } from '../replace-folder.ts'

/**
 * Packs the client and the command line into `dist/packages`, from which every server serves them. The same sources give the
 * same bytes. Packs a copy of the sources, because other processes may read the folders meanwhile.
 */
export async function buildPackages(): Promise<void> {
  const sources = hashPackageSources()
  await mkdir(dirname(packagesFolder), { recursive: true })
  const folder = await mkdtemp(`${packagesFolder}-`)
  const copy = await mkdtemp(join(tmpdir(), 'packages-'))
  // A temporary folder is readable only by its owner; another user may run the service.
  await chmod(folder, 0o755)
  try {
    await copySources(copy)
    for (const [name, source] of Object.entries(packageFolders)) {
      await rename(await pack(join(copy, source), folder), join(folder, `${name}.tgz`))
    }
    await writeFile(join(folder, packagesStampName), JSON.stringify({ sources }))
    await replaceFolder(packagesFolder, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
    await rm(copy, { recursive: true, force: true })
  }
}

async function copySources(copy: string): Promise<void> {
  const isSource = (path: string) => !['dist', 'node_modules'].includes(basename(path))
  for (const each of [...Object.values(packageFolders), 'src/core', 'src/tsconfig.json', 'tsconfig.json']) {
    await cp(join(root, each), join(copy, each), { recursive: true, filter: isSource })
  }
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
}

/** Builds the package with its `prepack` script, and packs it. Resolves to the tarball's path. */
async function pack(source: string, into: string): Promise<string> {
  // The settings of the npm that started this process must not apply to this one.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)))
  const parameters = ['pack', '--json', '--silent', '--pack-destination', into]
  const { stdout } = await promisify(execFile)('npm', parameters, { cwd: source, env })
  const [{ filename }] = JSON.parse(stdout)
  return join(into, filename)
}
