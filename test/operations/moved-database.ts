import { expect } from 'vitest'
import { createDeliveryTest, type DeliveryTest, type SubscribedOrganization } from '../support/delivery.ts'
import { fillAllTables } from '../support/fill-all-tables.ts'
import { Browser, type Person } from '../support/person.ts'
import { isSignedWith } from '../support/receiver.ts'
import { callerOf } from '../support/service.ts'

/**
 * Clients that must still work when the database has moved: a key, a person with a token and a browser, a webhook; and a
 * follower.
 */
export type Moving = {
  vendor: SubscribedOrganization
  person: Person
  cookies: Browser['cookies']
  cursor: string
  state: unknown
}

/** Rows in every table, and the clients that will use them after the move. */
export async function prepareMove(test: DeliveryTest): Promise<Moving> {
  const { caller, person } = await fillAllTables(test)
  const vendor = await test.vendor()
  const browser = new Browser(test.service)
  await browser.signIn(person)
  await browser.enter(caller.organizationId)
  const { body } = await vendor.rest('GET', '/org/changes')
  return { vendor, person, cookies: browser.cookies, cursor: body.cursor, state: await readState(vendor) }
}

/** The same clients at a service on the database after the move. */
export async function expectClientsWork(
  databaseUrl: string,
  { vendor, person, cookies, cursor, state }: Moving,
): Promise<void> {
  const test = await createDeliveryTest(databaseUrl)
  await test.worker()
  const caller = callerOf(test.service.url, vendor)
  expect(await readState(caller)).toEqual(state)

  const { status } = await fetch(`${test.service.url}/user`, { headers: { authorization: `Bearer ${person.token}` } })
  expect(status).toBe(200)
  const browser = new Browser(test.service)
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  expect((await browser.graphql('{ user { userId } }')).body).toEqual({ data: { user: { userId: person.userId } } })
  const [organizationId] = [...cookies.keys()].flatMap((name) => name.match(/ent_session_(\w+)/)?.[1] ?? [])
  const viewed = await browser.graphql('{ organization { organizationId } }', {}, { organizationId })
  expect(viewed.body).toEqual({ data: { organization: { organizationId } } })

  // The follower's cursor belongs to another database: the follower drops its cached answers, and misses nothing later.
  const { body: reset } = await caller.rest('GET', `/org/changes?after=${cursor}`)
  expect(reset).toMatchObject({ changes: [], reset: true })
  const received = vendor.receiver.received.length
  await test.emit(caller)
  const followed = await caller.rest('GET', `/org/changes?after=${reset.cursor}`)
  expect(followed.body).toMatchObject({ changes: [{ type: 'entitlements.stale' }], reset: false })
  const again = await caller.rest('GET', `/org/changes?after=${followed.body.cursor}`)
  expect(again.body).toMatchObject({ changes: [], reset: false })
  const events = await vendor.receiver.waitFor(received + 1)
  expect(events.slice(received).map((event) => isSignedWith(vendor.secret, event))).toEqual([true])
}

async function readState(caller: Pick<SubscribedOrganization, 'rest'>): Promise<unknown> {
  const paths = ['/org', '/org/features', '/org/subscribers', '/org/webhook', '/org/subscribers/acme/entitlements']
  return Promise.all(paths.map(async (path) => (await caller.rest('GET', path)).body))
}
