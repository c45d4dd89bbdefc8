import type { Tenant } from '../support/tenants.ts'
import type { Client, ClientRequest, Reply } from './ask.ts'

/** The number of pairs of each kind, and in `stale` what evals showed instead of the write. */
export type Tally = { pairs: Map<string, number>; stale: string[] }

type Question = { subscriber?: string; feature?: string; headers?: Record<string, string> }

/** The pairs of one organization: they run one after another, each with the write and the eval at different processes. */
export class PairSequence {
  readonly tenant: Tenant
  readonly client: Client
  /** The last written limit of `seats` in the plan of `acme`. */
  seats = 5
  readonly #urls: readonly string[]
  readonly #random: () => number
  readonly #tally: Tally
  #count = 0

  constructor(tenant: Tenant, shared: { client: Client; urls: readonly string[]; random: () => number; tally: Tally }) {
    this.tenant = tenant
    this.client = shared.client
    this.#random = shared.random
    this.#urls = shared.urls
    this.#tally = shared.tally
  }

  /** Returns a number that no pair of this sequence has used. */
  next(): number {
    return ++this.#count
  }

  write(method: string, path: string, body?: unknown): ClientRequest {
    return { method, path, body, headers: this.tenant.headers }
  }

  /** Sends a write that no eval checks. */
  sendUnchecked(method: string, path: string, body?: unknown): Promise<Reply> {
    return this.client.askSuccessfully(this.#urls[0] as string, this.write(method, path, body))
  }

  /** Sends the write to one process; once it is answered, an eval at another process must show what `shows` says. */
  pair(kind: string, write: ClientRequest, shows: string, question: Question = {}): Promise<Reply> {
    return this.writeAndCheck(
      kind,
      (url) => this.client.askSuccessfully(url, write),
      shows,
      (url) => this.evaluate(url, question),
    )
  }

  /** Like `pair`, for any write and any check of its effect. Returns the write's answer. */
  async writeAndCheck<T>(
    kind: string,
    write: (url: string) => Promise<T>,
    shows: string,
    readEffect: (url: string) => Promise<string>,
  ): Promise<T> {
    const index = Math.floor(this.#random() * this.#urls.length)
    const result = await write(this.#urls[index] as string)
    const seen = await readEffect(this.#urls[(index + 1) % this.#urls.length] as string)
    const { pairs, stale } = this.#tally
    pairs.set(kind, (pairs.get(kind) ?? 0) + 1)
    if (seen !== shows) stale.push(`${kind}: ${seen} instead of ${shows}`)
    return result
  }

  /** Sends a check or a snapshot; returns the value and its source, or the refusal. */
  async evaluate(url: string, { subscriber = 'acme', feature = 'seats', headers }: Question = {}): Promise<string> {
    const isCheck = this.#random() < 0.5
    const path = `/org/subscribers/${subscriber}/entitlements`
    const request = isCheck ? { method: 'POST', path: `${path}/check`, body: { feature } } : { method: 'GET', path }
    const { status, body } = await this.client.ask(url, { ...request, headers: headers ?? this.tenant.headers })
    if (status === 422) return 'no feature'
    if (status !== 200) return `${status}`
    const found = isCheck ? body : body.entitlements.find((each: { feature: string }) => each.feature === feature)
    return found === undefined ? 'no feature' : `${found.limit ?? found.allowed} ${found.source}`
  }
}
