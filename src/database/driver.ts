import pg from 'pg'
import { beginWithLimits } from './limits.ts'
import { isReadTimeout, markDatabaseError } from './outage.ts'

export type PoolOptions = Omit<pg.PoolConfig, 'Client'> & {
  /** Behind a PgBouncer: limits cannot be set with the connection, so they are set with each transaction. */
  pooled: boolean
  /** Off if a pooler gives each transaction another connection, on which the statement was not prepared. */
  namedStatements: boolean
}

type Callback = (error: Error | undefined, result: unknown) => void

/**
 * The driver's pool, prepared for outages: every error that it throws is marked as the database's, and when a statement
 * gets no answer in time, its connection is cut, together with the idle ones that have been silent for as long. They lead
 * to the same server, and each would keep another request waiting as long.
 */
export function createPool({ pooled, namedStatements, ...config }: PoolOptions): pg.Pool {
  class Client extends pg.Client {
    /** On the clock of `performance.now()`. */
    askedAt = 0
    answeredAt = 0

    // biome-ignore lint/suspicious/noExplicitAny: the driver's own signature has six overloads.
    override query(query: any, ...rest: any[]): any {
      this.askedAt = performance.now()
      const callback = rest.at(-1)
      // A query object that submits itself has its own callback.
      if (typeof callback === 'function') rest[rest.length - 1] = this.#watch(callback)
      else if (query instanceof pg.Query) this.#watchOwn(query as { callback?: Callback })
      const result = super.query(adapt(query, { pooled, namedStatements }) as string, ...(rest as []))
      if (result instanceof Promise) result.then(this.#onAnswer, this.#onError)
      return result
    }

    #watchOwn(query: { callback?: Callback }): void {
      if (query.callback) query.callback = this.#watch(query.callback)
    }

    #watch(callback: Callback): Callback {
      return (error, result) => {
        if (error) this.#onError(error)
        else this.#onAnswer()
        callback(error, result)
      }
    }

    readonly #onAnswer = () => {
      this.answeredAt = performance.now()
    }

    readonly #onError = (error: unknown) => {
      markDatabaseError(error)
      if (!isReadTimeout(error)) return
      cut(this)
      for (const other of idle) if ((other as Client).answeredAt < this.askedAt) cutIdle(other)
    }
  }

  const pool = new MarkingPool({ ...config, Client } as pg.PoolConfig)
  const idle = followIdle(pool)
  return pool
}

/** Also marks errors of connecting. */
class MarkingPool extends pg.Pool {
  // biome-ignore lint/suspicious/noExplicitAny: the driver's own signature has overloads.
  override connect(...args: any[]): any {
    return marked(super.connect(...(args as [])))
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above.
  override query(...args: any[]): any {
    return marked(super.query(...(args as [never])))
  }
}

function marked(result: unknown): unknown {
  if (result instanceof Promise) result.catch(markDatabaseError)
  return result
}

/** The name and the text that are sent instead of the caller's. */
function adapt(query: unknown, { pooled, namedStatements }: { pooled: boolean; namedStatements: boolean }): unknown {
  if (typeof query === 'string') return pooled && isBegin(query) ? beginWithLimits : query
  const { text, name } = query as pg.QueryConfig
  if (pooled && isBegin(text)) return { ...(query as pg.QueryConfig), text: beginWithLimits }
  if (name === undefined || namedStatements) return query
  // A query object that submits itself is sent unchanged.
  return query instanceof pg.Query
    ? Object.assign(query, { name: undefined })
    : { ...(query as pg.QueryConfig), name: undefined }
}

function isBegin(text: string): boolean {
  return text.length === 5 && text.toUpperCase() === 'BEGIN'
}

/** The connections that nobody uses at the moment. */
function followIdle(pool: pg.Pool): ReadonlySet<pg.Client> {
  const idle = new Set<pg.Client>()
  pool.on('release', (error, client) => {
    if (!error) idle.add(client as pg.Client)
  })
  for (const event of ['acquire', 'remove'] as const) pool.on(event, (client) => idle.delete(client as pg.Client))
  return idle
}

const cutClients = new WeakSet<pg.ClientBase>()

/** Without a goodbye, which would also wait for an answer. */
function cut(client: pg.Client): void {
  cutClients.add(client)
  client.connection.stream.destroy()
}

/** The error makes the pool drop it at once: otherwise it would give it to a caller before it notices. */
function cutIdle(client: pg.Client): void {
  cut(client)
  client.emit('error', new Error('The connection was cut, as the database does not answer.'))
}

/** Whether we ended this connection ourselves: the timeout that caused it has been reported already. */
export function wasCut(client: pg.ClientBase): boolean {
  return cutClients.has(client)
}
