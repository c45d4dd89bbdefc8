import { describe, expect, it } from 'vitest'
import { vendorWithPlan } from '../support/client-api.ts'
import { sharedService } from '../support/service.ts'

const service = await sharedService()

async function collectAll<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

describe('a list', () => {
  it('resolves to its first page, and iterates over the items of all pages', async () => {
    const { api } = await vendorWithPlan(service)
    const ids = Array.from({ length: 120 }, (_, index) => `cust_${String(index).padStart(3, '0')}`)
    await api.importSubscribers({ lines: ids.map((id) => ({ subscriber_id: id })) })

    const first = await api.listSubscribers({ search: 'cust' })
    const all = await collectAll(api.listSubscribers({ limit: 7, search: 'cust' }))

    expect([first.subscribers.length, first.has_more]).toEqual([50, true])
    expect(all.map(({ subscriber_id: id }) => id).sort()).toEqual(ids)
  })

  it("has every item once, whatever the item's id field is called", async () => {
    const { api } = await vendorWithPlan(service)
    const account = await api.createServiceAccount({ name: 'CI', role: 'viewer' })
    for (const name of ['a', 'b', 'c']) {
      await api.createApiKey({ service_account_id: account.service_account_id, name })
      await api.createInvite({ role: 'viewer' })
    }

    const keys = await collectAll(api.listApiKeys({ service_account_id: account.service_account_id, limit: 1 }))
    const invites = await collectAll(api.listInvites({ limit: 1 }))
    const entries = await collectAll(api.listAuditEvents({ limit: 2, method: 'POST' }))

    expect(keys.map(({ name }) => name).sort()).toEqual(['a', 'b', 'c'])
    expect(new Set(invites.map(({ invite_id: id }) => id)).size).toBe(3)
    expect(new Set(entries.map(({ id }) => id)).size).toBe(9)
  })

  it('without pages is iterated over in the same way', async () => {
    const { api } = await vendorWithPlan(service)

    expect((await collectAll(api.listFeatures())).map(({ key }) => key)).toEqual(['seats'])
    expect((await collectAll(api.search({ text: 'pro' }))).map(({ id }) => id)).toEqual(['pro'])
  })
})

describe('an import', () => {
  it('sends any number of lines, and numbers the lines of errors over the whole import', async () => {
    const { api } = await vendorWithPlan(service)
    const lines = Array.from({ length: 2500 }, (_, index) => ({ subscriber_id: `cust_${index}`, plan_id: 'pro' }))
    const wrong = { ...(lines[2100] as { subscriber_id: string }), plan_id: 'gold' }
    const reportedLines: number[] = []

    const result = await api.importSubscribers(
      { lines: lines.with(2100, wrong) },
      { onProgress: ({ lines: count }) => reportedLines.push(count) },
    )

    const { errors, ...counts } = result
    expect(counts).toEqual({ lines: 2500, created: 2499, updated: 0, unchanged: 0, failed: 1 })
    expect(errors).toMatchObject([{ line: 2101, subscriber_id: 'cust_2100', code: 'NOT_FOUND' }])
    expect(reportedLines).toEqual([1000, 2000, 2500])
  })

  it('accepts a string with empty lines or an async iterable of lines, and changes nothing in a dry run', async () => {
    const { api } = await vendorWithPlan(service)
    async function* read() {
      yield '{"subscriber_id":"acme"}\n'
      yield { subscriber_id: 'globex', name: 'Globex' }
    }

    const tried = await api.importSubscribers({ lines: '\r\n{"subscriber_id":"acme"}\r\n{', dry_run: true })
    const done = await api.importSubscribers({ lines: read() })
    const nothing = await api.importSubscribers({ lines: [] })

    expect(tried).toMatchObject({ lines: 2, created: 1, errors: [{ line: 3, code: 'INVALID_JSON' }] })
    expect(done).toMatchObject({ lines: 2, created: 2, failed: 0 })
    expect(nothing).toMatchObject({ lines: 0, failed: 0 })
  })
})
