import type { Socket } from 'node:net'
import { DomainError } from '../core/errors.ts'
import { newRequestId } from '../core/ids.ts'
import { commonHeaders } from './answer-headers.ts'
import { connectionOf } from './connection.ts'
import { endLingering } from './linger.ts'
import { unknownRoute } from './reply.ts'

/** The code of the error for a body with more framing than data: see watch-body.ts. */
export const framingOutweighsData = 'FRAMING_OUTWEIGHS_DATA'

/** The connections whose data is not parsed any more. */
const unreadable = new WeakSet<Socket>()

/**
 * Answers data that is not valid HTTP, for which no request exists, with the contract's error body. The earlier requests on the
 * connection are answered first, because the client takes the first answer for that to its first request.
 */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || unreadable.has(socket)) return
  unreadable.add(socket)
  const pending = connectionOf(socket)?.pendingAnswer
  if (pending === undefined) {
    refuse(error, socket)
  } else {
    socket.pause()
    pending.once('close', () => refuse(error, socket))
  }
}

function refuse({ code }: { code?: string }, socket: Socket): void {
  if (socket.writable && !connectionOf(socket)?.hasBegunAnswer) socket.write(toResponse(toRefusal(code)))
  endLingering(socket)
}

function toRefusal(code: string | undefined): DomainError {
  switch (code) {
    // An unknown method and an invalid path are answered like any other unknown route.
    case 'HPE_INVALID_METHOD':
    case 'HPE_INVALID_URL':
      return unknownRoute()
    case 'HPE_HEADER_OVERFLOW':
      return new DomainError('BODY_TOO_LARGE', 'The path and the headers are too large.')
    case framingOutweighsData:
      return new DomainError(
        'INVALID_JSON',
        'The chunks of the body are too small. Send larger ones, or a Content-Length header.',
      )
    default:
      return new DomainError('INVALID_JSON', 'The request is not valid HTTP, or did not arrive in time.')
  }
}

function toResponse({ status, type, code, message, details }: DomainError): string {
  const requestId = newRequestId()
  const body = JSON.stringify({ error: { type, code, message, request_id: requestId, details } })
  const headers = Object.entries(commonHeaders(requestId))
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  const reason = { 400: 'Bad Request', 404: 'Not Found', 413: 'Payload Too Large' }[status]
  return (
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n${headers}Connection: close\r\n\r\n${body}`
  )
}
