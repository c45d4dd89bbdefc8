import type { Tenant } from '../../../support/tenants.ts'
import type { AttackContext } from '../attack.ts'
import { vendor } from '../attacks/vendor.ts'

export type CallerKind = 'anonymous' | 'evaluator' | 'admin' | 'token' | 'person'

/** The senders of the texts. Replaces callers that were refused: their texts would not be processed. */
export class Callers {
  readonly #scene: AttackContext
  #tenant: Promise<Tenant>
  #token: Promise<string> | null = null
  #person: Promise<string> | null = null
  #others = 0

  constructor(scene: AttackContext) {
    this.#scene = scene
    this.#tenant = this.#newTenant()
  }

  async headersOf(kind: CallerKind): Promise<Record<string, string>> {
    switch (kind) {
      case 'anonymous':
        return { 'x-forwarded-for': this.#newAddress() }
      case 'token':
        this.#token ??= this.#newToken()
        return { authorization: `Bearer ${await this.#token}` }
      case 'person':
        this.#person ??= this.#newPerson()
        return { authorization: `Bearer ${await this.#person}` }
      default:
        return { 'x-api-key': (await this.#tenant).keys[kind] as string }
    }
  }

  /** The next request of this kind is from a caller that has not sent one yet. */
  async renew(kind: CallerKind): Promise<void> {
    if (kind === 'token') this.#token = null
    else if (kind === 'person') this.#person = null
    else if (kind !== 'anonymous') this.#tenant = this.#newTenant()
    await this.headersOf(kind)
  }

  #newAddress(): string {
    this.#others += 1
    return `2001:db8:${(this.#others >> 16).toString(16)}:${(this.#others & 0xffff).toString(16)}::1`
  }

  /** A tenant with one object of each kind, named `x`. */
  async #newTenant(): Promise<Tenant> {
    const attacker = await this.#scene.tenants.create()
    const given = vendor({ ...this.#scene, attacker })
    await given.feature('x')
    await given.send('POST', '/org/plans', { key: 'x', name: 'x', grants: { x: { kind: 'config', value: 'x' } } })
    await given.subscriber('x')
    await given.send('POST', '/org/subscribers/x/subscriptions', { plan_id: 'x' })
    await given.override('x', 'x', 'x')
    return attacker
  }

  /** A token of a new subscriber, since the limits of tokens are those of their subscriber. */
  async #newToken(): Promise<string> {
    const given = vendor({ ...this.#scene, attacker: await this.#tenant })
    this.#others += 1
    const id = `s${this.#others}`
    await given.subscriber(id)
    const answer = await given.send('POST', `/org/subscribers/${id}/tokens`, {})
    return JSON.parse(answer?.body ?? '{}').token
  }

  async #newPerson(): Promise<string> {
    const headers = { 'x-forwarded-for': this.#newAddress() }
    const email = `text${this.#scene.seed}-${Date.now()}-${this.#others}@example.org`
    const body = { email, password: 'correct horse', display_name: 'x' }
    const answer = await this.#scene.client.send({ path: '/user/sign-up', headers, body })
    return JSON.parse(answer?.body ?? '{}').token
  }
}
