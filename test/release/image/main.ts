import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startEmbeddedPostgres } from '../../../src/database/embedded.ts'
import { findFreePort } from '../../support/free-port.ts'
import { createLongPathFolder } from '../../support/long-path-folder.ts'
import { testMasterKey } from '../../support/master-key.ts'
import { type Instruction, readDockerfile, type Stage, wordsOf } from './dockerfile.ts'

/*
 * `npm run test:image`, for machines without Docker: runs the stages of the Dockerfile, each in a folder that stands for its file
 * system, measures the layers that the last stage adds to its base image, and starts the image's program as the image's user,
 * who owns none of the files. Must run as root, because only root can become that user.
 */

const root = mkdtempSync(join(tmpdir(), 'image-'))
/** Uses the Node that runs this script in place of the base image's Node. */
const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
const dataDir = createLongPathFolder('image-database')
const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
let server: ChildProcess | undefined
try {
  chmodSync(root, 0o755)
  const stages = readDockerfile(readFileSync('Dockerfile', 'utf8'))
  for (const [index, stage] of stages.entries()) runStage(stage, folderOf(stage, index))
  checkRelease(join(root, 'build/build/dist/release'))
  const last = stages.at(-1) as Stage
  const files = folderOf(last, stages.length - 1)
  const megabytes = Number(execFileSync('du', ['-sb', files], { encoding: 'utf8' }).split('\t')[0]) / 1e6
  console.log(`The layers above ${last.from}: ${Math.round(megabytes)} MB`)
  if (megabytes > 150) throw new Error('The layers above the base image are larger than 150 MB.')
  await tryProgram(last, files)
} finally {
  server?.kill('SIGKILL')
  await postgres.stop()
  for (const folder of [root, dataDir]) rmSync(folder, { recursive: true, force: true })
}

function folderOf({ name }: Pick<Stage, 'name'>, index: number): string {
  return join(root, name ?? String(index))
}

function runStage({ from, instructions }: Stage, files: string): void {
  console.log(`FROM ${from}`)
  let folder = files
  for (const instruction of instructions) {
    console.log(`  ${instruction.name} ${instruction.text}`)
    if (instruction.name === 'WORKDIR') {
      folder = join(files, instruction.text)
      mkdirSync(folder, { recursive: true })
    }
    if (instruction.name === 'COPY') copy(instruction, folder)
    if (instruction.name === 'RUN')
      execFileSync('sh', ['-c', instruction.text], { cwd: folder, env: { ...process.env, PATH } })
  }
}

/** Copies from an earlier stage, or from the repository without the files that `.dockerignore` excludes. */
function copy({ flags, text }: Instruction, folder: string): void {
  const [from = '', to = ''] = text.split(' ')
  const source = flags.from === undefined ? resolve(from) : join(root, flags.from, from)
  const ignored = readFileSync('.dockerignore', 'utf8').trim().split('\n')
  const isIgnored = (path: string) =>
    ignored.some((each) => (each.startsWith('**/') ? `/${path}`.endsWith(each.slice(2)) : path === each))
  const filter = (path: string) => flags.from !== undefined || !isIgnored(relative(source, path))
  cpSync(source, join(folder, to), { recursive: true, filter, verbatimSymlinks: true })
}

/** Checks the files that `npm run release` wrote next to the package: the checksums and the bill of materials. */
function checkRelease(folder: string): void {
  execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder })
  const [materials = ''] = globSync('*.cdx.json', { cwd: folder })
  const { metadata, components } = JSON.parse(readFileSync(join(folder, materials), 'utf8'))
  const name = `${metadata.component.name} with ${components.length} packages`
  console.log(`The bill of materials describes ${name}`)
  if (!/^entitlements-service with \d{3} /.test(name))
    throw new Error('The bill of materials describes something else.')
}

async function tryProgram({ instructions }: Stage, files: string): Promise<void> {
  const find = (name: string) => instructions.find((each) => each.name === name) as Instruction
  const inFiles = (word: string) => (word.startsWith('/app/') ? join(files, word) : word)
  const [uid, gid] = find('USER').text.split(':').map(Number)
  const set = Object.fromEntries(wordsOf(find('ENV')).map((each) => each.split('=') as [string, string]))
  const port = String(await findFreePort())
  const env = {
    ...set,
    PATH,
    PORT: port,
    DATABASE_URL: postgres.url,
    MASTER_KEY: testMasterKey,
    SHUTDOWN_GRACE_MS: '0',
  }
  const [program = '', ...parameters] = [...wordsOf(find('ENTRYPOINT')), ...wordsOf(find('CMD'))].map(inFiles)
  server = spawn(program, parameters, { cwd: join(files, find('WORKDIR').text), env, uid, gid, stdio: 'inherit' })
  const ended = new Promise<number | null>((done) => server?.on('close', done))

  const [, ...check] = wordsOf({ ...find('HEALTHCHECK'), text: find('HEALTHCHECK').text.replace(/^.*?CMD /, '') })
  for (let tries = 0; !isHealthy(check, env); tries += 1) {
    if (tries === 120 || server.exitCode !== null) throw new Error('The program did not become healthy.')
    await wait(500)
  }
  console.log("The program is healthy when it runs as the image's user, who can write no file.")
  server.kill('SIGTERM')
  if ((await ended) !== 0) throw new Error('The program did not stop cleanly.')
}

function isHealthy(check: string[], env: Record<string, string>): boolean {
  try {
    execFileSync('node', check, { env, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
