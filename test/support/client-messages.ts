/** Requests that have no type: the client asks for TLS or GSS encryption and, once that is refused, starts as if it had not. */
const encryptionRequests = new Set([80877103, 80877104])

/**
 * What a client sends to PostgreSQL, in whole messages: TCP may split a message, or join several. Each call takes a chunk
 * and returns the messages that it completes.
 */
export function readClientMessages(): (chunk: Buffer) => Buffer[] {
  let rest: Buffer = Buffer.alloc(0)
  let hasStarted = false
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const messages: Buffer[] = []
    for (;;) {
      // The first message has no type before its length, which counts itself.
      const typeBytes = hasStarted ? 1 : 0
      if (rest.length < typeBytes + 4) return messages
      const end = typeBytes + rest.readUInt32BE(typeBytes)
      if (rest.length < end) return messages
      const message = rest.subarray(0, end)
      rest = rest.subarray(end)
      hasStarted ||= end < 8 || !encryptionRequests.has(message.readUInt32BE(4))
      messages.push(message)
    }
  }
}

/** The text of a simple query, such as COMMIT, which has no parameters; otherwise null. */
export function simpleQueryOf(message: Buffer): string | null {
  return message[0] === 'Q'.charCodeAt(0) ? message.toString('utf8', 5, message.length - 1) : null
}
