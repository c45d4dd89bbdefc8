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

/**
 * Of each message of one connection the text of the statement that it executes, such as COMMIT: as a simple query, or by binding
 * values to one that was prepared before. Otherwise null.
 */
export function readExecuted(): (message: Buffer) => string | null {
  const prepared = new Map<string, string>()
  return (message) => {
    const [first = '', second = ''] = message.toString('utf8', 5).split('\0', 2)
    switch (String.fromCharCode(message[0] as number)) {
      case 'Q':
        return first
      case 'P':
        prepared.set(first, second)
        return null
      case 'B':
        return prepared.get(second) ?? null
      default:
        return null
    }
  }
}
