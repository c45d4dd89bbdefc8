import type { Socket } from 'node:net'

const nothing: Buffer = Buffer.alloc(0)
const headEnd = Buffer.from('\r\n\r\n')
/** `HTTP/1.1 100`: enough to see what kind of answer begins. */
const statusLineBytes = 12
/** An interim answer is a few bytes; anything longer is left to the HTTP client. */
const interimLimitBytes = 16_384

/**
 * Removes interim answers (1xx) that precede the final answer from the bytes that this socket receives. A receiver may send
 * `100 Continue` unasked (RFC 9110, 15.2); undici treats that as a broken answer and cuts the connection. A change of protocol
 * (101) passes through: no answer follows it.
 *
 * Node's own client has an event for interim answers, `information`. But its parser ends the connection if one comes over
 * HTTP/1.0 or with `Connection: close`, as from some old receivers ("Data after `Connection: close`"). Only `insecureHTTPParser`
 * relaxes this, and it would accept much more that is wrong. So they are removed before any parser sees them.
 */
export function dropInterimAnswers<T extends Socket>(socket: T): T {
  const push = socket.push.bind(socket)
  /** Bytes written when the current answer began: once more are written, another answer is expected. */
  let writtenBefore = -1
  let begun: Buffer = nothing

  socket.push = (chunk: Buffer | null) => {
    if (chunk === null) {
      if (begun.length > 0) push(begun)
      return push(null)
    }
    if (socket.bytesWritten === writtenBefore) return push(chunk)
    begun = skipInterim(Buffer.concat([begun, chunk]))
    if (mayBeInterim(begun)) return push(nothing)
    const rest = begun
    begun = nothing
    writtenBefore = socket.bytesWritten
    return push(rest)
  }
  return socket
}

/** The bytes after all complete interim answers. */
function skipInterim(bytes: Buffer): Buffer {
  if (!isInterim(bytes)) return bytes
  const end = bytes.indexOf(headEnd)
  return end === -1 ? bytes : skipInterim(bytes.subarray(end + headEnd.length))
}

/** Whether more bytes are needed to decide, or to see the end of an interim answer. */
function mayBeInterim(bytes: Buffer): boolean {
  return bytes.length < statusLineBytes || (isInterim(bytes) && bytes.length < interimLimitBytes)
}

function isInterim(bytes: Buffer): boolean {
  return /^HTTP\/1\.[01] 1(?!01)\d\d/.test(bytes.toString('latin1', 0, statusLineBytes))
}
