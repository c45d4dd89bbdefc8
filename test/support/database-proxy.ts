import { connect, createServer, type Socket } from 'node:net'

/** What happens to the next COMMIT, or other statement, that passes. */
type Trap =
  /** It never reaches the database, and the connection is cut. */
  | 'cut before commit'
  /** The database executes it, and the connection is cut before its reply comes back. */
  | 'cut after commit'
  /** It never reaches the database, and the client waits: nothing more passes on this connection. */
  | 'hold before commit'
  /** The same, and the database does not notice either that the client leaves: a network that lost both directions. */
  | 'lose before commit'
  /** The database executes it, and the client waits for a reply that does not come. */
  | 'hold after commit'

export type DatabaseProxy = {
  /** The address of the database, through the proxy. */
  url: string
  /** Resolves when the trap has sprung; after COMMIT: when the database has replied. */
  trapNextCommit(trap: Trap): Promise<void>
  /** The same for the next message that contains this text, such as the name of a statement. */
  trapNext(text: string, trap: Trap): Promise<void>
  /** Lets no connection through and cuts old ones; held ones stay held. */
  shut(): void
  open(): void
  /** What was held before it reached the database arrives now. */
  deliverHeld(): void
  /** Cuts held connections. */
  cutHeld(): void
  /** From now on nothing passes and nobody notices: neither on old connections nor on new ones, which are accepted. */
  freeze(): void
  /** Everything passes again, including what was sent meanwhile; or, after a silent failover, on new connections only. */
  thaw(after?: { failover: boolean }): void
  /** A silent failover: the old server is gone, with its side of those connections; no client notices. */
  endReplaced(): void
  /** Leads new connections to another server, as an address does after a failover. */
  leadTo(databaseUrl: string): void
  /** The number of connections that clients have open. */
  connectionCount(): number
  close(): Promise<void>
}

/** In the message that asks for it, after a byte and its length, and in the reply. */
const commit = 'COMMIT'

/** Stands between the service and PostgreSQL, which must speak plain TCP without TLS. */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  let target = new URL(databaseUrl)
  const pairs = new Set<{ client: Socket; server: Socket }>()
  const held = new Set<{ client: Socket; server: Socket }>()
  /** Connections to a server that was replaced. */
  const replaced = new WeakSet<object>()
  const cuts = new WeakMap<object, () => void>()
  const deliveries = new Map<object, () => void>()
  let armed: { text: string; trap: Trap; spring: () => void } | undefined
  let isShut = false
  let isFrozen = false

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

    client.on('data', (chunk) => {
      if (held.has(pair)) return
      if (armed && chunk.includes(armed.text)) {
        sprung = armed
        armed = undefined
        // Statements before it in the same packet arrive: only a COMMIT of its own is trapped.
        if (sprung.text === commit && sprung.trap.includes('before'))
          server.write(chunk.subarray(0, chunk.indexOf(commit) - 5))
        if (sprung.trap === 'cut before commit') {
          cut()
          sprung.spring()
          return
        }
        if (sprung.trap === 'hold before commit' || sprung.trap === 'lose before commit') {
          held.add(pair)
          deliveries.set(pair, () => server.write(chunk))
          sprung.spring()
          return
        }
      }
      server.write(chunk)
    })
    server.on('data', (chunk) => {
      if (held.has(pair)) return
      // The answers to statements before it pass.
      if (!sprung || (sprung.text === commit && !chunk.includes(commit))) {
        client.write(chunk)
        return
      }
      if (sprung.trap === 'cut after commit') cut()
      else held.add(pair)
      sprung.spring()
    })
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))

  function trapNext(text: string, trap: Trap): Promise<void> {
    return new Promise((resolve) => {
      armed = { text, trap, spring: resolve }
    })
  }

  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((listener.address() as { port: number }).port)
  return {
    url: url.href,
    trapNextCommit: (trap) => trapNext(commit, trap),
    trapNext,
    shut() {
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
    leadTo(databaseUrl) {
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
