import type { IncomingMessage } from 'node:http'

/** A body may always have this much framing: lines of chunk sizes, and their line ends. */
const maxFreeFramingBytes = 65_536
/** Smaller pieces are passed on together. */
const flushBytes = 16_384
/** Beyond that, at most four fifths of a body may be framing. */
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
 * Charges each piece of a body that Node's parser passes on, and joins small ones, so that reading the body costs by its
 * bytes, not by its chunks. Framing is all bytes from the connection that are not data; it is compared whenever a new part
 * has arrived, because all parts before are parsed by then.
 */
export function watchBody(request: IncomingMessage, { charge, end, refuse }: BodyWatch): void {
  const { socket, push } = request
  let pieces: Buffer[] = []
  let held = 0
  let waiting: NodeJS.Immediate | null = null
  // The first part began with headers, so counting begins after it.
  let countedFrom: number | null = null
  let received = socket.bytesRead
  let data = 0

  function count(piece: Buffer): void {
    if (socket.bytesRead !== received) {
      if (countedFrom === null) [countedFrom, data] = [received, 0]
      const framing = received - countedFrom - data
      if (framing > maxFreeFramingBytes && framing > data * maxFramingRatio) refuse()
      received = socket.bytesRead
    }
    data += piece.length
    charge(piece.length)
  }

  /** Returns false when the reader has enough for the moment. */
  function flushPieces(): boolean {
    const whole = pieces.length > 1 ? Buffer.concat(pieces) : pieces[0]
    pieces = []
    held = 0
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
    held += piece.length
    if (held >= flushBytes) return flushPieces()
    // Not with nextTick: ticks run after each piece.
    waiting ??= setImmediate(() => flushPieces() || socket.pause())
    return true
  }
  request.once('close', end)
}
