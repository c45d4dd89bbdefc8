import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Readable } from 'node:stream'
import { toPrintable } from '../core/printable.ts'
import { reasonOf, StartupError } from '../core/startup-error.ts'
import { linesOf } from '../core/streams.ts'

export type ImportCounts = Record<'lines' | 'created' | 'updated' | 'unchanged' | 'failed', number>
export type ImportResult = ImportCounts & {
  errors: { line: number; subscriber_id: string | null; code: string; message: string }[]
}

/**
 * The service reports progress each second, so silence for this long means that the service hangs, or that the connection is
 * lost.
 */
const idleMs = 120_000

type ImportRequest = { url: URL; key: string; lines: Readable; onProgress: (counts: ImportCounts) => void }

/** A line of the answer. */
type AnswerLine = {
  progress?: ImportCounts
  result?: ImportResult
  error?: { code: string; message: string; request_id: string }
}

/** Sends the lines as it reads them, and resolves to the result. A StartupError says what the user can do. */
export async function sendImport({ url, key, lines, onProgress }: ImportRequest): Promise<ImportResult> {
  const response = await send(url, key, lines)
  let applied = 0
  try {
    for await (const line of linesOf(response)) {
      const { progress, result, error } = JSON.parse(line) as AnswerLine
      if (error) throw new StartupError(adviceFor(error, applied))
      if (result) return result
      if (!progress) continue
      applied = progress.lines
      onProgress(progress)
    }
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`The connection ended (${reasonOf(error)}). ${adviseRetry(applied)}`)
  }
  throw new StartupError(`The answer ended before its result. ${adviseRetry(applied)}`)
}

function send(url: URL, key: string, lines: Readable): Promise<Readable> {
  const { promise, resolve, reject } = Promise.withResolvers<Readable>()
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/x-ndjson', accept: 'application/x-ndjson' },
  })
  request.setTimeout(idleMs, () => request.destroy(new Error('it sent nothing for 2 minutes')))
  request.on('response', resolve)
  // Does nothing once there is an answer: the server may refuse the lines before all are sent.
  request.on('error', (error) => reject(new StartupError(serviceNotReached(url, error))))
  lines.on('error', (error) => {
    reject(new StartupError(`The file cannot be read: ${reasonOf(error)}.`))
    request.destroy()
  })
  lines.pipe(request)
  return promise
}

function serviceNotReached({ origin }: URL, error: Error): string {
  const reason = reasonOf(error)
  return `The service at ${origin} cannot be reached (${reason}). Start it with npm start, or give another address with --url.`
}

function adviceFor({ code, message, request_id }: NonNullable<AnswerLine['error']>, applied: number): string {
  const failure = toPrintable(`${code}: ${message} (${request_id})`)
  const next = {
    UNAUTHORIZED: 'ENTITLEMENTS_API_KEY is not a valid key of this service. npm run org:key creates a new one.',
    FORBIDDEN: "The key's role may not import. Use a key whose role has subscribers:write, such as support or admin.",
    NOT_FOUND: 'Is --url the address of the service?',
  }[code]
  return [failure, next, ...(applied > 0 ? [adviseRetry(applied)] : [])].filter(Boolean).join('\n')
}

function adviseRetry(applied: number): string {
  return `${applied} lines were applied. Run it again: lines that were applied count as unchanged.`
}
