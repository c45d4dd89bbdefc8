import type { Socket } from 'node:net'

const nothing: Buffer = Buffer.alloc(0)
const headersEnd = Buffer.from('\r\n\r\n')
/** The length of `HTTP/1.1 100`, which is enough to recognize an interim answer. */
const statusLineBytes = 12
/** Interim answers are short. A longer one is passed to the HTTP client. */
const maxInterimAnswerBytes = 16_384
/** The maximum number of interim answers before a final answer. Without a maximum, a server could send them forever. */
const maxAnswers = 16
const maxBytes = 65_536

/** Ends a connection whose server keeps sending interim answers. */
class TooManyInterimAnswers extends Error {
  constructor() {
    super(`more than ${maxAnswers} interim answers (1xx), or ${maxBytes} bytes of them, came before the answer`)
    this.name = 'TooManyInterimAnswers'
  }
}

/**
 * Removes interim answers (1xx) that precede the final answer from the bytes that this socket receives. A receiver may send
 * `100 Continue` without being asked (RFC 9110, 15.2); undici treats it as a broken answer and closes the connection. A change
 * of protocol (101) passes through, because no answer follows it.
 *
 * Node's own client has an event for interim answers, `information`. But its parser ends the connection if an interim answer
 * comes over HTTP/1.0 or with `Connection: close`, as some old receivers send it ("Data after `Connection: close`"). Only
 * `insecureHTTPParser` relaxes this, and it would accept many other faults. So this function removes interim answers before a
 * parser sees them.
 */
export function dropInterimAnswers<T extends Socket>(socket: T): T {
  const push = socket.push.bind(socket)
  /** The bytes that were written when the current answer began. If more bytes are written, another answer is expected. */
  let writtenBefore = -1
  let received: Buffer = nothing
  let answers = 0
  let bytes = 0

  socket.push = (chunk: Buffer | null) => {
    if (socket.destroyed) return false
    if (chunk === null) {
      if (received.length > 0) push(received)
      return push(null)
    }
    if (socket.bytesWritten === writtenBefore) return push(chunk)
    received = Buffer.concat([received, chunk])
    for (let end = findInterimAnswerEnd(received); end !== null; end = findInterimAnswerEnd(received)) {
      received = received.subarray(end)
      answers += 1
      bytes += end
      if (answers <= maxAnswers && bytes <= maxBytes) continue
      socket.destroy(new TooManyInterimAnswers())
      return false
    }
    if (needsMoreBytes(received)) return push(nothing)
    const rest = received
    received = nothing
    answers = 0
    bytes = 0
    writtenBefore = socket.bytesWritten
    return push(rest)
  }
  return socket
}

/** The end of the complete interim answer at the beginning of the bytes; null if there is none. */
function findInterimAnswerEnd(bytes: Buffer): number | null {
  const end = isInterimAnswer(bytes) ? bytes.indexOf(headersEnd) : -1
  return end === -1 ? null : end + headersEnd.length
}

/** Whether more bytes are needed, either to recognize an interim answer or to find its end. */
function needsMoreBytes(bytes: Buffer): boolean {
  return bytes.length < statusLineBytes || (isInterimAnswer(bytes) && bytes.length < maxInterimAnswerBytes)
}

function isInterimAnswer(bytes: Buffer): boolean {
  return /^HTTP\/1\.[01] 1(?!01)\d\d/.test(bytes.toString('latin1', 0, statusLineBytes))
}
