import type { IncomingMessage } from 'node:http'

/** The framing that any body may have, in bytes: lines with chunk sizes, and line ends. */
const maxFreeFramingBytes = 65_536
/** Smaller pieces are joined before they are passed on. */
const flushBytes = 16_384
/** With more framing than `maxFreeFramingBytes`, at most four fifths of a body may be framing. */
const maxFramingRatio = 4

type BodyWatch = {
  charge(bytes: number): void
  end(): void
  /** Called when the framing of the body outweighs its data. */
  refuse(): void
}

/** Whether the headers announce a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Charges for each piece of a body that Node's parser passes on, and joins small pieces, so that the cost of reading the body
 * depends on its bytes, not on its chunks. Framing is all bytes from the connection that are not data. It is checked whenever a
 * new part has arrived, because all earlier parts have been parsed by then.
 */
export function watchBody(request: IncomingMessage, { charge, end, refuse }: BodyWatch): void {
  const { socket, push } = request
  let pieces: Buffer[] = []
  let heldBytes = 0
  let waiting: NodeJS.Immediate | null = null
  // The first part begins with headers, so counting begins after it.
  let countedFrom: number | null = null
  let receivedBytes = socket.bytesRead
  let dataBytes = 0

  function count(piece: Buffer): void {
    if (socket.bytesRead !== receivedBytes) {
      if (countedFrom === null) [countedFrom, dataBytes] = [receivedBytes, 0]
      const framing = receivedBytes - countedFrom - dataBytes
      if (framing > maxFreeFramingBytes && framing > dataBytes * maxFramingRatio) refuse()
      receivedBytes = socket.bytesRead
    }
    dataBytes += piece.length
    charge(piece.length)
  }

  /** Returns false if the reader's buffer is full. */
  function flushPieces(): boolean {
    const whole = pieces.length > 1 ? Buffer.concat(pieces) : pieces[0]
    pieces = []
    heldBytes = 0
    if (waiting) clearImmediate(waiting)
    waiting = null
    return whole === undefined || push.call(request, whole)
  }

  request.push = (piece: Buffer | null) => {
    if (piece === null) {
      end()
      flushPieces()
      request.push = push
      return request.push(null)
    }
    count(piece)
    pieces.push(piece)
    heldBytes += piece.length
    if (heldBytes >= flushBytes) return flushPieces()
    // Does not use `nextTick`, because ticks run after each piece.
    waiting ??= setImmediate(() => flushPieces() || socket.pause())
    return true
  }
  request.once('close', end)
}
