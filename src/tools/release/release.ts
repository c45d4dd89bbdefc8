import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { version } from '../../core/version.ts'
import { loadMigrations } from '../../database/migration-files.ts'
import { packageFolders } from '../../web/package-sources.ts'
import { buildRelease } from './build-release.ts'
import { findObstacles } from './find-obstacles.ts'

/*
 * `npm run release`: writes into dist/release the package of this version as a tarball, its bill of materials, the packages of
 * the client and the command line, and their checksums. The package's files are in dist/release/entitlements-service, from
 * which the Dockerfile makes an image.
 */

const outputFolder = 'dist/release'
/** The bill of materials takes the service's name from this folder. */
const folder = join(outputFolder, 'entitlements-service')

await assertReleasable()
await mkdir(outputFolder, { recursive: true })
await buildRelease(folder)
await audit()

const [{ filename }] = JSON.parse(await npm('pack', '--json', '--pack-destination', '..'))
const materials = filename.replace(/\.tgz$/, '.cdx.json')
const sbom = await npm('sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only')
await writeFile(join(outputFolder, materials), sbom)
const packages = await Promise.all(Object.keys(packageFolders).map(copyPackage))
const files = [filename, ...packages, materials]
const lines = await Promise.all(files.map(async (name) => `${await hashOf(join(outputFolder, name))}  ${name}\n`))
await writeFile(join(outputFolder, 'SHA256SUMS'), lines.join(''))
console.log(`${outputFolder} has ${files.join(', ')} and SHA256SUMS.`)

/** Copies the tarball of the client or the command line that the release serves. Resolves to its name. */
async function copyPackage(name: string): Promise<string> {
  const file = `entitlements-service-${name}-${version}.tgz`
  await copyFile(join(folder, 'dist/packages', `${name}.tgz`), join(outputFolder, file))
  return file
}

/**
 * Ends the process if this version must not be released. With `--trial`, which builds images of unreleased versions, throws
 * only if a released migration was changed.
 */
async function assertReleasable(): Promise<void> {
  const { trial } = parseArgs({ options: { trial: { type: 'boolean' } } }).values
  const obstacles = findObstacles({
    version,
    changelog: await readFile('CHANGELOG.md', 'utf8'),
    migrations: await loadMigrations(),
    released: JSON.parse(await readFile(new URL('released-migrations.json', import.meta.url), 'utf8')),
    tags: await listTags(),
    files: await readdir(outputFolder).catch(() => []),
  })
  if (obstacles.length === 0 || trial) return
  console.error(
    `${version} cannot be released:\n- ${obstacles.join('\n- ')}\nSee docs/versions.md; --trial builds a release that is not published.`,
  )
  process.exit(1)
}

/** The repository's tags; empty outside of a repository. */
async function listTags(): Promise<string[]> {
  const { stdout } = await promisify(execFile)('git', ['tag', '--list']).catch(() => ({ stdout: '' }))
  return stdout.split('\n').filter(Boolean)
}

/** Fails if a package of the release has a known vulnerability. */
async function audit(): Promise<void> {
  const report = JSON.parse(await npm('audit', '--json', '--package-lock-only'))
  if (report.auditReportVersion === undefined) {
    console.log('The packages were not checked for known vulnerabilities: the registry does not answer audits.')
  } else if (report.metadata.vulnerabilities.total > 0) {
    throw new Error(
      `Packages of the release have known vulnerabilities: ${Object.keys(report.vulnerabilities).join(', ')}`,
    )
  }
}

async function hashOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
}

/** The output of npm in the package's folder. `npm audit` exits with 1 if it found something, and reports it as JSON. */
async function npm(...parameters: string[]): Promise<string> {
  const running = promisify(execFile)('npm', parameters, { cwd: folder, maxBuffer: 64 * 1024 * 1024 })
  const { stdout } = await running.catch((error) => {
    if (parameters[0] === 'audit' && error.stdout) return error
    throw error
  })
  return stdout
}
