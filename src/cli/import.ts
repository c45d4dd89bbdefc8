import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { formatHints, recognizeFormat } from '../core/file-format.ts'
import { keyVariable, readKeyVariable } from '../core/key-variable.ts'
import { print, printNote, printProgress } from '../core/print.ts'
import { toPrintable } from '../core/printable.ts'
import { reasonOf, StartupError } from '../core/startup-error.ts'
import { peek } from '../core/streams.ts'
import { command, run } from './command.ts'
import { type ImportCounts, type ImportResult, sendImport } from './send-import.ts'

await run(
  command('import')
    .usage('--file customers.ndjson [options]')
    .description(
      `Imports subscribers with their plans and overrides, one JSON object per line:

  {"subscriber_id":"acme","name":"Acme","plan_id":"pro","overrides":{"seats":{"kind":"limit","limit":50}}}`,
    )
    .requiredOption('--file <file>', 'the file; - reads from standard input')
    .option('--url <url>', "the service's address", 'http://127.0.0.1:4000')
    .option('--dry-run', 'changes nothing, and reports what the import would do')
    .addHelpText('after', `\nEnvironment:\n  ${keyVariable}  the key of a service account with subscribers:write`)
    .action(async ({ file, url, dryRun = false }) => {
      const request = { key: readKey(), url: toAddress(url, dryRun) }
      const lines = file === '-' ? process.stdin : createReadStream(file)
      await assertNdjson(lines)
      const result = await sendImport({ ...request, lines, onProgress: (counts) => showProgress(counts, false) })
      showProgress(result, true)
      showErrors(result)
      if (result.failed > 0) process.exitCode = 1
    }),
)

/** Rejects a file in another format before the service refuses each of its lines. */
async function assertNdjson(stream: Readable): Promise<void> {
  const start = await peek(stream).catch((error) => {
    throw new StartupError(`The file cannot be read: ${reasonOf(error)}.`)
  })
  const format = recognizeFormat(start)
  if (format === null || format === 'ndjson') return
  const advice = format === 'csv' ? ' The command line imports it: npx @entitlements-service/cli import FILE.' : ''
  throw new StartupError(`${formatHints[format]}${advice} --file takes NDJSON: a JSON object on each line.`)
}

function showProgress({ lines, created, updated, unchanged, failed }: ImportCounts, isLast: boolean): void {
  const text = `${lines} lines: ${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed`
  printProgress(text, { isLast })
}

function showErrors({ errors, failed }: ImportResult): void {
  for (const { line, subscriber_id: id, message } of errors) {
    print(toPrintable(`line ${line}${id === null ? '' : ` (${JSON.stringify(id)})`}: ${message}`))
  }
  if (failed > errors.length) print(`… and ${failed - errors.length} more`)
}

function readKey(): string {
  const { env, warning } = readKeyVariable(process.env)
  if (warning) printNote(warning)
  const { [keyVariable]: key } = env
  if (key) return key
  throw new StartupError(`${keyVariable} is required: the key of a service account.`)
}

function toAddress(text: string, isDryRun: boolean): URL {
  const url = URL.parse('/org/subscribers/import', text)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new StartupError('--url must be an address, such as http://127.0.0.1:4000.')
  if (isDryRun) url.searchParams.set('dry_run', 'true')
  return url
}
