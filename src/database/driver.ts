import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { withDeadline } from '../core/deadline.ts'
import { unavailable } from '../core/errors.ts'
import { type Callback, QueryDescribedOnce } from './driver-query.ts'
import { beginWithLimits, limits } from './limits.ts'
import { isReadTimeout, isServerFull, isStatementLost, markDatabaseError } from './outage.ts'
import { currentStatementTimes } from './statement-times.ts'

type PoolOptions = Omit<pg.PoolConfig, 'Client'> & {
  /** Whether the database is behind a PgBouncer: then a connection cannot have limits, so each transaction sets them. */
  pooled: boolean
  /** False if a pooler may run each transaction on another connection, where the statement was not prepared. */
  namedStatements: boolean
  /**
   * Called once, when the server does not know a named statement, or has another statement of that name. The pool then no
   * longer uses names.
   */
  onNamesLost?: ((error: unknown) => void) | undefined
  /** Called once, when the server accepts no more connections; `count` is the number of connections that the pool has. */
  onCannotGrow?: OnGrowFailure | undefined
}

type OnGrowFailure = (error: unknown, count: number) => void

type NoteAnswer = (error?: unknown) => void

/**
 * The driver's pool, prepared for outages. It marks every error as an error of the database. When a statement gets no answer in
 * time, it cuts the statement's connection and all idle connections that have received no answer since the statement was sent:
 * they lead to the same server, and each of them would make another request wait as long.
 */
export function createPool({ pooled, namedStatements, onNamesLost, onCannotGrow, ...config }: PoolOptions): pg.Pool {
  const sendOptions = { pooled, namedStatements }

  class Client extends pg.Client {
    /** Both times are by `performance.now()`. */
    sentAt = 0
    answeredAt = 0

    // biome-ignore lint/suspicious/noExplicitAny: the driver's own signature has six overloads.
    override query(statement: any, ...rest: any[]): any {
      const callback = rest.at(-1)
      const query =
        typeof callback === 'function' && isNamed(statement) ? new QueryDescribedOnce(statement, callback) : statement
      this.sentAt = performance.now()
      const noteAnswer = currentStatementTimes()?.note(query.name, query.text ?? query)
      // A query object that sends itself has its own callback.
      if (query instanceof pg.Query) this.#watchOwn(query as { callback?: Callback }, noteAnswer)
      else if (typeof callback === 'function') rest[rest.length - 1] = this.#watch(callback, noteAnswer)
      const result = super.query(toSentQuery(query, sendOptions) as string, ...(rest as []))
      if (result instanceof Promise) result.then(this.#onAnswer, this.#onError)
      if (result instanceof Promise && noteAnswer) result.then(() => noteAnswer(), noteAnswer)
      return result
    }

    #watchOwn(query: { callback?: Callback }, noteAnswer?: NoteAnswer): void {
      if (query.callback) query.callback = this.#watch(query.callback, noteAnswer)
    }

    #watch(callback: Callback, noteAnswer?: NoteAnswer): Callback {
      return (error, result) => {
        noteAnswer?.(error ?? undefined)
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
      if (isStatementLost(error)) stopUsingNames(error)
      if (!isReadTimeout(error)) return
      cutConnection(this)
      for (const other of idle) if ((other as Client).answeredAt < this.sentAt) cutIdleConnection(other)
    }
  }

  function stopUsingNames(error: unknown): void {
    if (!sendOptions.namedStatements) return
    sendOptions.namedStatements = false
    onNamesLost?.(error)
  }

  // The pool's own limit ends a connection that is not open yet. It is longer than the caller's limit, so that a connection
  // that opens late can still be used.
  const connectionTimeoutMillis = 1.5 * limits.connectTimeoutMs
  const pool = new ResilientPool({ ...config, connectionTimeoutMillis, Client } as pg.PoolConfig, onCannotGrow)
  const idle = trackIdleConnections(pool)
  return pool
}

/**
 * Resolves to the connection, or rejects with the error of `toError` after `timeoutMs`. A connection that opens later goes back
 * to its pool.
 */
async function connectWithin(
  timeoutMs: number,
  connecting: Promise<pg.PoolClient>,
  toError: () => Error,
): Promise<pg.PoolClient> {
  try {
    return await withDeadline(performance.now() + timeoutMs, connecting, toError)
  } catch (error) {
    connecting.then(
      (client) => client.release(),
      () => {},
    )
    throw error
  }
}

/** Takes a connection from the pool; throws 503 after `timeoutMs`. */
export function connectInTime(pool: pg.Pool, timeoutMs: number): Promise<pg.PoolClient> {
  const noConnectionInTime = () => unavailable('No database connection was available in time. Try again in a moment.')
  return connectWithin(timeoutMs, pool.connect(), noConnectionInTime)
}

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void

/** The time after which a pool that could not grow tries again. */
const growRetryMs = 5_000
/** How long a pool without any connection waits before it tries again. */
const connectRetryMs = 100

/**
 * A pool that also marks connection errors, gives up on a connection only after reading all data that has arrived, resends a
 * statement whose name the server did not know, and uses only its existing connections if the server accepts no more.
 */
class ResilientPool extends pg.Pool {
  readonly #maxConnections: number
  #onCannotGrow: OnGrowFailure | undefined

  constructor(config: pg.PoolConfig, onCannotGrow: OnGrowFailure | undefined) {
    super(config)
    this.#maxConnections = this.options.max
    this.#onCannotGrow = onCannotGrow
  }

  async #connectOrWait(): Promise<pg.PoolClient> {
    const tryUntil = performance.now() + limits.connectTimeoutMs
    for (;;) {
      try {
        return await super.connect()
      } catch (error) {
        if (!isServerFull(error) || performance.now() > tryUntil) throw error
        this.#stopGrowing(error)
        if (this.totalCount === 0) await wait(connectRetryMs)
      }
    }
  }

  /** Makes requests wait for the existing connections. */
  #stopGrowing(error: unknown): void {
    const count = Math.max(1, this.totalCount)
    if (this.options.max === this.#maxConnections) setTimeout(() => this.#growAgain(), growRetryMs).unref()
    this.options.max = Math.min(this.options.max, count)
    this.#onCannotGrow?.(error, this.totalCount)
    this.#onCannotGrow = undefined
  }

  #growAgain(): void {
    this.options.max = this.#maxConnections
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver's own signature has overloads.
  override connect(callback?: ConnectCallback): any {
    const connecting = markErrorsOf(
      connectWithin(
        limits.connectTimeoutMs,
        this.#connectOrWait(),
        () => new Error('timeout exceeded when trying to connect'),
      ),
    )
    if (callback === undefined) return connecting
    const call = (...args: Parameters<ConnectCallback>) => process.nextTick(callback, ...args)
    connecting.then(
      (client) => call(undefined, client, client.release),
      (error) => call(error, undefined, () => {}),
    )
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above.
  override query(...args: any[]): any {
    return resendWithoutName(() => {
      const result: unknown = super.query(...(args as [never]))
      return result instanceof Promise ? markErrorsOf(result) : result
    })
  }
}

/** Sends a lost statement again: the server did not execute it, and the second time it has no name. */
function resendWithoutName(send: () => unknown): unknown {
  const result = send()
  if (!(result instanceof Promise)) return result
  return result.catch((error) => {
    if (isStatementLost(error)) return send()
    throw error
  })
}

function markErrorsOf<Result>(result: Promise<Result>): Promise<Result> {
  result.catch(markDatabaseError)
  return result
}

type SendOptions = { readonly pooled: boolean; readonly namedStatements: boolean }

/** Returns the query with the name and the text to send. */
function toSentQuery(query: unknown, { pooled, namedStatements }: SendOptions): unknown {
  if (typeof query === 'string') return pooled && isBegin(query) ? beginWithLimits : query
  const { text, name } = query as pg.QueryConfig
  if (pooled && isBegin(text)) return { ...(query as pg.QueryConfig), text: beginWithLimits }
  if (!name) return query
  const nameToSend = namedStatements ? toSentName(name, text) : undefined
  // A query object that sends itself must stay the same object.
  return query instanceof pg.Query
    ? Object.assign(query, { name: nameToSend })
    : { ...(query as pg.QueryConfig), name: nameToSend }
}

function isNamed(query: unknown): query is pg.QueryConfig {
  return typeof query === 'object' && !(query instanceof pg.Query) && (query as pg.QueryConfig).name !== undefined
}

const sentNames = new Map<string, { text: string; sent: string }>()

/**
 * The statement's name with a hash of its text, so that a name means the same text to every process of any version: behind a
 * pooler, a process may find statements that another process has prepared.
 */
function toSentName(name: string, text: string): string {
  const known = sentNames.get(name)
  if (known?.text === text) return known.sent
  const sent = `${name}-${createHash('sha256').update(text).digest('base64url').slice(0, 12)}`
  sentNames.set(name, { text, sent })
  return sent
}

function isBegin(text: string): boolean {
  return text.length === 5 && text.toUpperCase() === 'BEGIN'
}

/** Returns the set of idle connections, and keeps it up to date. */
function trackIdleConnections(pool: pg.Pool): ReadonlySet<pg.Client> {
  const idle = new Set<pg.Client>()
  pool.on('release', (error, client) => {
    if (!error) idle.add(client as pg.Client)
  })
  for (const event of ['acquire', 'remove'] as const) pool.on(event, (client) => idle.delete(client as pg.Client))
  return idle
}

const cutClients = new WeakSet<pg.ClientBase>()

/** Destroys the socket, because a clean end would also wait for an answer. */
function cutConnection(client: pg.Client): void {
  cutClients.add(client)
  client.connection.stream.destroy()
}

/**
 * Cuts the connection and emits an error, so that the pool drops the connection at once. Otherwise, the pool could still give
 * it to a caller.
 */
function cutIdleConnection(client: pg.Client): void {
  cutConnection(client)
  client.emit('error', new Error('The connection was cut, because the database does not answer.'))
}

/** Whether this process cut the connection itself, after a timeout that was already reported. */
export function wasCutByUs(client: pg.ClientBase): boolean {
  return cutClients.has(client)
}
