import { addAbortSignal, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { toCsvLine } from '../src/core/csv.ts'
import { networkOf } from '../src/core/network.ts'
import { stringifyAnswer } from '../src/core/stored-json.ts'
import { toDomainError } from '../src/database/outage.ts'
import { pauseAfterSlices } from '../src/fairness/loop-slices.ts'
import { linesType } from '../src/http/body.ts'
import { preferredType } from '../src/http/negotiation.ts'
import { sendOnlyHeaders } from '../src/http/reply.ts'
import { closedSignal, whenClosed } from '../src/http/when-closed.ts'
import { type Export, ExportRequest } from '../src/operation/export.ts'
import type { AnyOperation } from '../src/operation/operation.ts'
import type { Admitted } from '../src/operation/run-operation.ts'
import type { Services } from '../src/operation/services.ts'
import { parseQuery } from './query.ts'

const csvType = 'text/csv'
/** The number of characters that are collected before they are sent. */
const pieceLength = 65_536

type Download = { type: string; columns: readonly string[] }

/** The download that the request prefers to a page; null if it prefers a page, or the operation has no downloads. */
export function downloadOf(operation: AnyOperation, request: FastifyRequest): Download | null {
  if (operation.kind !== 'read' || !operation.exports) return null
  const type = preferredType(request, ['application/json', csvType, linesType])
  return type === 'application/json' ? null : { type, columns: operation.exports.columns }
}

/**
 * Streams all matching rows as fast as the client reads, with one page in memory. A failure in the middle cuts the connection,
 * so that no client mistakes a part for the whole.
 */
export async function sendDownload(
  services: Services,
  download: Download,
  { operation, request, reply }: { operation: AnyOperation; request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const admitted = request.admitted as Admitted<Export>
  const { limit: _, ...query } = parseQuery(request.url, operation.input.fields)
  const rows = await admitted.run(() => new ExportRequest(query, closedSignal(reply)))
  reply.type(download.type === csvType ? `${csvType}; charset=utf-8` : download.type).header('vary', 'accept')
  if (request.method === 'HEAD') return sendOnlyHeaders(reply)
  const text = Readable.from(toPieces(rows, download, admitted.ownerId ?? networkOf(request.ip)), {
    objectMode: false,
    highWaterMark: pieceLength,
  })
  addAbortSignal(rows.signal, text)
  whenClosed(reply, () => text.destroy())
  text.once('error', (error) => {
    if (!rows.signal.aborted) services.failures.log(toDomainError(error), request.id)
  })
  return reply.send(text)
}

async function* toPieces({ pages }: Export, { type, columns }: Download, ownerId: string): AsyncGenerator<string> {
  const pause = pauseAfterSlices(ownerId)
  const isTable = type === csvType
  // Excel recognizes UTF-8 only by a byte order mark.
  let piece = isTable ? `\uFEFF${toCsvLine(columns)}` : ''
  for await (const rows of pages) {
    for (const row of rows) {
      piece += isTable ? toRowLine(row, columns) : `${stringifyAnswer(row)}\n`
      // A page may have megabytes, so each piece waits until the client has read the previous piece.
      if (piece.length >= pieceLength) {
        yield piece
        piece = ''
      }
      await pause()
    }
  }
  if (piece !== '') yield piece
}

/** Converts a row to a line of CSV. The fields of an audit entry's actor have their own columns. */
function toRowLine(row: object, columns: readonly string[]): string {
  const values: Record<string, unknown> = { ...('actor' in row && (row.actor as object)), ...row }
  return toCsvLine(columns.map((column) => values[column]))
}
