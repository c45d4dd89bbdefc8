import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { aboutFormats, recognizeFormat } from '../core/file-format.ts'
import { keyVariable, readKeyVariable } from '../core/key-variable.ts'
import { peek } from '../core/peek.ts'
import { print, printError, printNote, printProgress } from '../core/print.ts'
import { toPrintable } from '../core/printable.ts'
import { reasonOf, StartupError } from '../core/startup-error.ts'
import { parseOptions } from './parse-options.ts'
import { type Counts, type Result, sendImport } from './send-import.ts'

const help = `Usage: ENTITLEMENTS_API_KEY=ent_… npm run import -- --file customers.ndjson [--url http://127.0.0.1:4000] [--dry-run]

Imports subscribers with their plans and overrides, one JSON object per line:

  {"subscriber_id":"acme","name":"Acme","plan_id":"pro","overrides":{"seats":{"kind":"limit","limit":50}}}

  ENTITLEMENTS_API_KEY   the key of a service account with subscribers:write
  --file F               the file; - reads from standard input
  --url U                the service's address
  --dry-run              changes nothing, and reports what the import would do`

const table = { file: { type: 'string' }, url: { type: 'string' }, 'dry-run': { type: 'boolean' } } as const

type Options = { file: string; url: URL; key: string }

try {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options === 'help') print(help)
  else await run(options)
} catch (error) {
  printError(error)
  process.exit(1)
}

async function run({ file, url, key }: Options): Promise<void> {
  const lines = file === '-' ? process.stdin : createReadStream(file)
  await assertLines(lines)
  const result = await sendImport({ url, key, lines, onProgress: (counts) => showProgress(counts, false) })
  showProgress(result, true)
  showErrors(result)
  process.exit(result.failed > 0 ? 1 : 0)
}

/** Another format would be refused line by line. */
async function assertLines(stream: Readable): Promise<void> {
  const start = await peek(stream).catch((error) => {
    throw new StartupError(`The file cannot be read: ${reasonOf(error)}.`)
  })
  const format = recognizeFormat(start)
  if (format === null || format === 'ndjson') return
  const advice = format === 'csv' ? ' The command line imports it: npx @entitlements-service/cli import FILE.' : ''
  throw new StartupError(`${aboutFormats[format]}${advice} --file takes NDJSON: a JSON object on each line.`)
}

function showProgress({ lines, created, updated, unchanged, failed }: Counts, isLast: boolean): void {
  const text = `${lines} lines: ${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed`
  printProgress(text, { isLast })
}

function showErrors({ errors, failed }: Result): void {
  for (const { line, subscriber_id: id, message } of errors) {
    print(toPrintable(`line ${line}${id === null ? '' : ` (${JSON.stringify(id)})`}: ${message}`))
  }
  if (failed > errors.length) print(`… and ${failed - errors.length} more`)
}

function readOptions(args: string[], env: NodeJS.ProcessEnv): Options | 'help' {
  const values = parseOptions(args, table, help)
  if (values === 'help') return 'help'
  if (!values.file) throw new StartupError(`--file is required. ${help.split('\n')[0]}`)
  const { [keyVariable]: key } = readKey(env)
  if (!key) throw new StartupError(`${keyVariable} is required: the key of a service account.`)
  const url = URL.parse('/org/subscribers/import', values.url ?? 'http://127.0.0.1:4000')
  if (!url || !/^https?:$/.test(url.protocol))
    throw new StartupError('--url must be an address, such as http://127.0.0.1:4000.')
  if (values['dry-run']) url.searchParams.set('dry_run', 'true')
  return { file: values.file, url, key }
}

function readKey(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { env, warning } = readKeyVariable(given)
  if (warning) printNote(warning)
  return env
}
