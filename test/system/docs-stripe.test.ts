import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Caller, startService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'

/* The code of the guide *From Stripe*, with a stand-in for Stripe. */

const service = await startService()

type Subscription = {
  id: string
  customer: string
  status: string
  items: { data: { price: { product: string }; quantity: number }[] }
}
type Event = { type: string; data: { object: Subscription } }

/** Has the subscriptions of customers, and the events about them that were not sent yet. */
class Stripe {
  readonly events: Event[] = []
  readonly #subscriptions = new Map<string, Subscription>()
  /** Called while a list is read: an answer may take any time. */
  pause: () => Promise<void> = async () => {}

  put(id: string, status: string, products: Record<string, number>, customer = 'cus_1'): void {
    const type = status === 'canceled' ? 'deleted' : this.#subscriptions.has(id) ? 'updated' : 'created'
    const data = Object.entries(products).map(([product, quantity]) => ({ price: { product }, quantity }))
    const subscription = { id, customer, status, items: { data } }
    this.#subscriptions.set(id, subscription)
    this.events.push({ type: `customer.subscription.${type}`, data: { object: structuredClone(subscription) } })
  }

  async *list({ customer }: { customer: string }): AsyncGenerator<Subscription> {
    const found = [...this.#subscriptions.values()].filter((each) => each.customer === customer)
    const seen = structuredClone(found.filter(({ status }) => status !== 'canceled'))
    await this.pause()
    yield* seen
  }
}

/** The guide's function, which asks this stand-in. */
async function loadReceiver(stripe: Stripe, { key }: Pick<Caller, 'key'>): Promise<(event: Event) => Promise<void>> {
  const guide = readFileSync('docs/guides/migrate-from-stripe.md', 'utf8')
  const [, code = ''] = /<!-- runs: stripe -->\n```js\n([\s\S]*?)```/.exec(guide) ?? []
  const cache = resolve('node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'guide-stripe-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'receiver.mjs')
  const replaced = code
    .replace(/'[^']*client'/, JSON.stringify(resolve('src/client/index.ts')))
    .replace("import Stripe from 'stripe'", 'class Stripe { subscriptions = globalThis.stripeOfTest }')
  await writeFile(file, replaced)
  Object.assign(globalThis, { stripeOfTest: stripe })
  Object.assign(process.env, { ENTITLEMENTS_URL: service.url, ENTITLEMENTS_API_KEY: key })
  return (await import(pathToFileURL(file).href)).receive
}

async function prepareGuide() {
  const caller = await service.organization()
  const { feature, plan } = vendor(caller)
  await feature('sso')
  await feature('seats', { kind: 'limit' })
  await plan('pro', { seats: { kind: 'limit', limit: 5 } })
  await plan('team', { seats: { kind: 'limit', limit: 20 }, sso: { kind: 'flag' } })
  const stripe = new Stripe()
  const receive = await loadReceiver(stripe, await service.member(caller.organizationId, 'support'))
  const stateOf = async (customer = 'cus_1') => {
    const { status, body } = await caller.rest('GET', `/org/subscribers/${customer}/entitlements`)
    if (status === 404) return null
    const { plan, entitlements } = body as { plan: string | null; entitlements: { feature: string; limit: number }[] }
    return [plan, entitlements.find((each) => each.feature === 'seats')?.limit]
  }
  return { caller, stripe, receive, stateOf }
}

describe('the receiver of the guide "From Stripe"', () => {
  it.each<[string, (stripe: Stripe) => void, unknown]>([
    ['a subscription', (stripe) => stripe.put('one', 'active', { prod_pro: 1 }), ['pro', 5]],
    ['a trial', (stripe) => stripe.put('one', 'trialing', { prod_team: 1 }), ['team', 20]],
    ['a failed payment that is tried again', (stripe) => stripe.put('one', 'past_due', { prod_pro: 1 }), ['pro', 5]],
    ['a payment that finally failed', (stripe) => stripe.put('one', 'unpaid', { prod_pro: 1 }), [null, 0]],
    ['a first payment that is missing', (stripe) => stripe.put('one', 'incomplete', { prod_pro: 1 }), [null, 0]],
    [
      'two subscriptions',
      (stripe) => {
        stripe.put('one', 'active', { prod_team: 1 })
        stripe.put('two', 'active', { prod_pro: 1 })
      },
      ['team', 20],
    ],
    [
      'an add-on in a separate subscription',
      (stripe) => {
        stripe.put('one', 'active', { prod_pro: 1 })
        stripe.put('two', 'active', { prod_seats: 2 })
      },
      ['pro', 25],
    ],
    [
      'an add-on that was removed',
      (stripe) => {
        stripe.put('one', 'active', { prod_pro: 1, prod_seats: 3 })
        stripe.put('one', 'active', { prod_pro: 1 })
      },
      ['pro', 5],
    ],
    [
      'a deleted subscription beside a new one',
      (stripe) => {
        stripe.put('one', 'active', { prod_pro: 1 })
        stripe.put('two', 'active', { prod_team: 1 })
        stripe.put('one', 'canceled', { prod_pro: 1 })
      },
      ['team', 20],
    ],
    ['a product that is ignored', (stripe) => stripe.put('one', 'active', { prod_consulting: 1 }), [null, 0]],
    [
      'the end of the subscription',
      (stripe) => {
        stripe.put('one', 'active', { prod_pro: 1, prod_seats: 1 })
        stripe.put('one', 'canceled', { prod_pro: 1, prod_seats: 1 })
      },
      [null, 0],
    ],
  ])('sets the state for %s', async (_title, happen, expected) => {
    const { stripe, receive, stateOf } = await prepareGuide()

    happen(stripe)
    for (const event of stripe.events) await receive(event)

    expect(await stateOf()).toEqual(expected)
  })

  it('refuses a product that is not mapped, and leaves the customer unchanged', async () => {
    const { stripe, receive, stateOf } = await prepareGuide()
    stripe.put('one', 'active', { prod_team: 1 })
    for (const event of stripe.events.splice(0)) await receive(event)

    stripe.put('one', 'active', { prod_new: 1 })

    await expect(receive(stripe.events[0] as Event)).rejects.toThrow(
      'Map these products to plans or add-ons: prod_new.',
    )
    expect(await stateOf()).toEqual(['team', 20])
  })

  it('throws when the line of the import is refused, so that Stripe sends the event again', async () => {
    const { caller, stripe, receive, stateOf } = await prepareGuide()
    expect((await caller.rest('DELETE', '/org/plans/team')).status).toBe(204)
    stripe.put('one', 'active', { prod_team: 1 })
    const [event] = stripe.events as [Event]
    await expect(receive(event)).rejects.toThrow('There is no plan "team" here.')

    await vendor(caller).plan('team', { seats: { kind: 'limit', limit: 20 } })
    await receive(event)

    expect(await stateOf()).toEqual(['team', 20])
  })

  it('ends in the same state whatever the order of the events, their repetitions and their overlaps', async () => {
    const { stripe, receive, stateOf } = await prepareGuide()
    const status = fc.constantFrom('active', 'trialing', 'past_due', 'unpaid', 'canceled')
    const products = fc.dictionary(fc.constantFrom('prod_pro', 'prod_team', 'prod_seats', 'prod_consulting'), fc.nat(3))
    const change = fc.record({ id: fc.constantFrom('one', 'two', 'three'), status, products })
    let customers = 0
    const property = fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 6 }),
      fc.gen(),
      async (changes, g) => {
        customers += 1
        const customer = `cus_${customers + 100}`
        stripe.pause = async () => {
          for (let turns = g(fc.nat, 3); turns > 0; turns--) await new Promise(setImmediate)
        }
        for (const { id, status, products } of changes) stripe.put(`${id}_${customer}`, status, products, customer)
        const events = stripe.events.splice(0)
        const repeated = [...events, ...g(fc.subarray, events)]
        const order = g(fc.shuffledSubarray, repeated, { minLength: repeated.length, maxLength: repeated.length })
        await Promise.all(order.map(receive))

        const [plan, seats] = (await stateOf(customer)) as [string | null, number]
        expect([plan, seats]).toEqual(expectedOf(changes))
      },
    )
    await fc.assert(property, { numRuns: 30 })
  })
})

type Change = { id: string; status: string; products: Record<string, number> }

/** The plan and the seats that follow from the last change of each subscription. */
function expectedOf(changes: Change[]): [string | null, number] {
  const last = new Map(changes.map((change) => [change.id, change]))
  const paid = new Map<string, number>()
  for (const { status, products } of last.values()) {
    if (!['active', 'trialing', 'past_due'].includes(status)) continue
    for (const [product, quantity] of Object.entries(products)) {
      paid.set(product, (paid.get(product) ?? 0) + quantity)
    }
  }
  const plan = paid.has('prod_team') ? 'team' : paid.has('prod_pro') ? 'pro' : null
  const extra = paid.get('prod_seats')
  if (extra !== undefined) return [plan, 5 + 10 * extra]
  return [plan, plan === 'team' ? 20 : plan === 'pro' ? 5 : 0]
}
