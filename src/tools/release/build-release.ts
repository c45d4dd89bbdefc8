import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findBuiltHash, hashSources } from '../../web/console-sources.ts'
import { findPackagesHash, hashPackageSources } from '../../web/package-sources.ts'
import { buildConsole } from '../console/build-console.ts'
import { buildPackages } from '../packages/build-packages.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const runFile = promisify(execFile)

/** The files that the service reads besides its code, and those that operators install with it. */
const assets = [
  'src/database/migrations',
  'rest/openapi/examples.json',
  'rest/docs/browser',
  'rest/reference/browser',
  'dist/console',
  'dist/packages',
  'docs/operations',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'LICENSE',
]

type Manifest = { scripts: Record<string, string> } & Record<string, unknown>

/**
 * Writes the files for production into the folder: the service as JavaScript, because Node does not strip types below
 * `node_modules`, the built console, the packages of the client and the command line, the migrations, the guides, the files for
 * operators, a package.json, and the versions of all packages (npm-shrinkwrap.json).
 */
export async function buildRelease(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  if ((await findBuiltHash()) !== hashSources()) await buildConsole()
  if ((await findPackagesHash()) !== hashPackageSources()) await buildPackages()
  await runFile(join(root, 'node_modules/.bin/tsc'), ['-p', 'src/tsconfig.release.json', '--outDir', folder], {
    cwd: root,
  })
  const manifest: Manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const released = toReleasedManifest(manifest)
  await addLaunchers(folder, Object.values(released.scripts))
  for (const asset of assets) {
    await mkdir(dirname(join(folder, asset)), { recursive: true })
    await cp(join(root, asset), join(folder, asset), { recursive: true })
  }
  const isDocument = (path: string) => !/\.\w+$/.test(path) || path.endsWith('.md')
  await cp(join(root, 'docs'), join(folder, 'docs'), { recursive: true, filter: isDocument })
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(released, null, 2)}\n`)
  await lockPackages(folder)
}

/**
 * Replaces each program that a script runs with a file that finds a recent Node first and then loads the program, which an
 * older Node cannot load.
 */
async function addLaunchers(folder: string, scripts: readonly string[]): Promise<void> {
  const programs = new Set(scripts.flatMap((script) => /src\/\S+\.js/.exec(script) ?? []))
  for (const program of programs) {
    const file = join(folder, program)
    const moved = file.replace(/\.js$/, '.program.js')
    await rename(file, moved)
    const path = relative(dirname(file), join(folder, 'src/cli/require-node.js'))
    const check = path.startsWith('.') ? path : `./${path}`
    await writeFile(file, `import '${check}'\n\nawait import('./${basename(moved)}')\n`)
  }
}

function toReleasedManifest(manifest: Manifest) {
  const { name, version, description, license, type, engines, dependencies, optionalDependencies, allowScripts } =
    manifest
  return {
    ...{ name, version, description, license, type, engines },
    bin: { 'entitlements-service': 'src/cli/entitlements-service.js' },
    scripts: toReleasedScripts(manifest.scripts),
    ...{ dependencies, optionalDependencies, allowScripts },
  }
}

/** The scripts that run the service and its commands, not those for development. */
export function toReleasedScripts(scripts: Record<string, string>): Record<string, string> {
  const runsService = /^(exec )?node (--\S+ )*src\/(main|cli\/[\w-]+|demo\/main)\.ts( \w+)?$/
  const kept = Object.entries(scripts).filter(([, script]) => runsService.test(script))
  return Object.fromEntries(kept.map(([name, script]) => [name, script.replace('.ts', '.js')]))
}

/** Writes the release's lock file from that of the repository: npm drops the packages that the release does not need. */
async function lockPackages(folder: string): Promise<void> {
  await cp(join(root, 'package-lock.json'), join(folder, 'package-lock.json'))
  const flags = [
    '--package-lock-only',
    '--ignore-scripts',
    '--offline',
    '--omit-lockfile-registry-resolved',
    '--no-audit',
  ]
  await runFile('npm', ['install', ...flags], { cwd: folder })
  await rename(join(folder, 'package-lock.json'), join(folder, 'npm-shrinkwrap.json'))
}
