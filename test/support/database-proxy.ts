import { connect, createServer, type Socket } from 'node:net'
import { createExecutedReader, readClientMessages } from './client-messages.ts'

/** The fate of the next COMMIT, or other statement, that passes. */
type Trap =
  /** The message never reaches the database, and the connection is cut. */
  | 'cut before commit'
  /** The database executes it, and the connection is cut before its reply comes back. */
  | 'cut after commit'
  /** The message never reaches the database, and the client waits: nothing more passes on this connection. */
  | 'hold before commit'
  /** As before, but the database does not notice when the client leaves, as if the network had failed in both directions. */
  | 'lose before commit'
  /** The database executes it, and the client waits for a reply that does not come. */
  | 'hold after commit'

export type DatabaseProxy = {
  /** The address of the database, through the proxy. */
  url: string
  /**
   * Traps the COMMIT of the next transaction that sends this text, because others also commit, such as the job queue.
   * Resolves when the trap has sprung; for a trap after COMMIT, when the database has replied.
   */
  trapNextCommit(text: string, trap: Trap): Promise<void>
  /** Traps the next message that contains this text, such as a statement's name, and all that is sent with it. */
  trapNext(text: string, trap: Trap): Promise<void>
  /** Removes a trap that has not sprung. */
  disarm(): void
  /** Refuses new connections and cuts old ones; held connections stay held. */
  refuseConnections(): void
  open(): void
  /** Delivers the messages that were held before they reached the database. */
  deliverHeld(): void
  /** Cuts held connections. */
  cutHeld(): void
  /** Silently passes nothing from now on, neither on old connections nor on new ones, which are accepted. */
  freeze(): void
  /** Passes everything again, including what was sent in between; after a silent failover, only on new connections. */
  thaw(after?: { failover: boolean }): void
  /** A silent failover: the old server is gone with its ends of the connections, and no client notices. */
  endReplaced(): void
  /** Delays each reply of the database by this much. */
  slow(replyMs: number): void
  /** Redirects new connections to another server, as an address does after a failover. */
  routeTo(databaseUrl: string): void
  /** The number of connections that clients have open. */
  connectionCount(): number
  close(): Promise<void>
}

/** The text of the statement, and of the reply to it. */
const commit = 'COMMIT'

type ArmedTrap = { text: string; isCommit: boolean; trap: Trap; spring: () => void }

/** A proxy between the service and PostgreSQL, which must speak plain TCP without TLS. */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  let target = new URL(databaseUrl)
  const pairs = new Set<{ client: Socket; server: Socket }>()
  const held = new Set<{ client: Socket; server: Socket }>()
  /** Connections to a replaced server. */
  const replaced = new WeakSet<object>()
  const cuts = new WeakMap<object, () => void>()
  const deliveries = new Map<object, () => void>()
  let armed: ArmedTrap | undefined
  let isShut = false
  let isFrozen = false
  let slowMs = 0

  const listener = createServer((client) => {
    if (isShut) {
      client.destroy()
      return
    }
    const server = connect({ host: target.hostname, port: Number(target.port || 5432) })
    const pair = { client, server }
    pairs.add(pair)
    let sprung: typeof armed
    const cut = (force?: unknown) => {
      if (replaced.has(pair)) return
      if (held.has(pair) && sprung?.trap === 'lose before commit' && force !== 'held') return
      client.destroy()
      server.destroy()
      pairs.delete(pair)
      held.delete(pair)
    }
    for (const socket of [client, server]) {
      socket.setNoDelay(true)
      socket.on('error', cut)
      socket.on('close', cut)
      if (isFrozen) socket.pause()
    }
    cuts.set(pair, () => cut('held'))

    const read = readClientMessages()
    const findTrapped = trapFinder(() => armed)
    client.on('data', (chunk) => {
      const messages = read(chunk)
      const index = findTrapped(messages)
      if (held.has(pair)) return
      if (index !== null && armed) {
        sprung = armed
        armed = undefined
        const isBefore = sprung.trap.includes('before')
        if (isBefore) {
          server.write(Buffer.concat(messages.splice(0, index)))
          if (sprung.trap === 'cut before commit') cut()
          else {
            held.add(pair)
            deliveries.set(pair, () => server.write(Buffer.concat(messages)))
          }
          sprung.spring()
          return
        }
      }
      if (messages.length > 0) server.write(Buffer.concat(messages))
    })
    let replies = Buffer.alloc(0)
    server.on('data', (chunk) => {
      if (held.has(pair)) return
      if (sprung) replies = Buffer.concat([replies, chunk])
      // Answers to earlier statements may pass.
      if (!sprung || (sprung.isCommit && !replies.includes(commit))) {
        if (slowMs === 0) client.write(chunk)
        else setTimeout(() => client.write(chunk), slowMs)
        return
      }
      if (sprung.trap === 'cut after commit') cut()
      else held.add(pair)
      sprung.spring()
    })
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))

  function arm(text: string, trap: Trap, isCommit: boolean): Promise<void> {
    return new Promise((resolve) => {
      armed = { text, isCommit, trap, spring: resolve }
    })
  }

  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((listener.address() as { port: number }).port)
  return {
    url: url.href,
    trapNextCommit: (text, trap) => arm(text, trap, true),
    trapNext: (text, trap) => arm(text, trap, false),
    disarm() {
      armed = undefined
    },
    refuseConnections() {
      isShut = true
      for (const pair of pairs) if (!held.has(pair)) pair.client.destroy()
    },
    open() {
      isShut = false
    },
    deliverHeld() {
      for (const deliver of deliveries.values()) deliver()
      deliveries.clear()
    },
    cutHeld() {
      for (const pair of held) cuts.get(pair)?.()
    },
    freeze() {
      isFrozen = true
      for (const { client, server } of pairs) for (const socket of [client, server]) socket.pause()
    },
    thaw(after) {
      isFrozen = false
      if (after?.failover) return
      for (const { client, server } of pairs) for (const socket of [client, server]) socket.resume()
    },
    endReplaced() {
      for (const pair of pairs) {
        if (!pair.server.isPaused()) continue
        replaced.add(pair)
        pair.server.destroy()
      }
    },
    slow(replyMs) {
      slowMs = replyMs
    },
    routeTo(databaseUrl) {
      target = new URL(databaseUrl)
    },
    connectionCount: () => pairs.size,
    async close() {
      for (const { client, server } of pairs) {
        client.destroy()
        server.destroy()
      }
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}

/**
 * Finds where the trap begins among messages of one connection: at the COMMIT, without the statements before it; at the
 * first message if any contains the text; otherwise null.
 */
function trapFinder(armed: () => ArmedTrap | undefined): (messages: readonly Buffer[]) => number | null {
  let isSent = false
  const executedBy = createExecutedReader()
  return (messages) => {
    for (const [index, message] of messages.entries()) {
      const query = executedBy(message)?.toUpperCase()
      const trap = armed()
      const hasText = trap !== undefined && message.includes(trap.text)
      if (hasText && !trap.isCommit) return 0
      if (query === commit && trap?.isCommit && isSent) return index
      if (query === commit || query?.startsWith('BEGIN')) isSent = false
      else isSent ||= hasText
    }
    return null
  }
}
