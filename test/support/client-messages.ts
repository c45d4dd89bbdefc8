/** Requests for TLS or GSS encryption, which have no type. If they are refused, the client starts as usual. */
const encryptionRequests = new Set([80877103, 80877104])

/**
 * Splits a client's bytes to PostgreSQL into messages, since TCP may split or join them. Each call takes a chunk and
 * returns the messages that it completes.
 */
export function readClientMessages(): (chunk: Buffer) => Buffer[] {
  let rest: Buffer = Buffer.alloc(0)
  let hasStarted = false
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const messages: Buffer[] = []
    for (;;) {
      // The first message has no type; it begins with its length, which counts itself.
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
 * Reads the text of the statement that each message of a connection executes, such as COMMIT, as a simple query or by
 * binding values to a prepared statement. Null for other messages.
 */
export function createExecutedReader(): (message: Buffer) => string | null {
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
