import type { Schemas } from './errors.ts'

export type ImportLine = Schemas['ImportLine']
export type ImportResult = Schemas['ImportResult']

/** Lines of NDJSON, one by one or as a single text. */
export type ImportLines = string | Iterable<string | ImportLine> | AsyncIterable<string | ImportLine>

/** The maximum number of lines in a request. The service answers within seconds, and reports up to as many errors. */
const maxLines = 1_000
const maxCharacters = 1024 * 1024

/**
 * Sends the lines in requests of a thousand, one after the other, so that a file of any size needs little memory, and a failure
 * repeats only one request. The line numbers of errors count all lines.
 */
export async function importLines(
  lines: ImportLines,
  send: (text: string, isDryRun?: true) => Promise<ImportResult>,
  onProgress?: (result: ImportResult) => void,
): Promise<ImportResult> {
  const total: ImportResult = { lines: 0, created: 0, updated: 0, unchanged: 0, failed: 0, errors: [] }
  let sent = 0
  let waiting: string[] = []
  let characters = 0
  const flush = async () => {
    const { errors, ...counts } = await send(waiting.join('\n'))
    // An answer has at most 4 MiB of errors. A dry run of the lines after the last reported error finds the other errors.
    while (errors.length < counts.failed) {
      const reported = errors.at(-1)?.line ?? 0
      const rest = await send(waiting.slice(reported).join('\n'), true)
      if (rest.errors.length === 0) break
      for (const error of rest.errors) errors.push({ ...error, line: error.line + reported })
    }
    for (const [name, count] of Object.entries(counts)) total[name as keyof typeof counts] += count
    for (const error of errors) total.errors.push({ ...error, line: error.line + sent })
    sent += waiting.length
    waiting = []
    characters = 0
    onProgress?.(total)
  }
  for await (const line of typeof lines === 'string' ? lines.split('\n') : lines) {
    const text = typeof line === 'string' ? line.replace(/\r?\n$/, '') : JSON.stringify(line)
    if (characters + text.length > maxCharacters && waiting.length > 0) await flush()
    characters += text.length
    waiting.push(text)
    if (waiting.length === maxLines) await flush()
  }
  if (waiting.length > 0 || sent === 0) await flush()
  return total
}
