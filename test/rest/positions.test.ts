import { describe, expect, it } from 'vitest'
import { readLog } from '../support/audit.ts'
import { expectInvalid } from '../support/refusal.ts'
import { sharedService } from '../support/service.ts'

const service = await sharedService()

describe.each([
  ['features', { key: 'seats', name: 'Seats', kind: 'limit' }],
  ['plans', { key: 'pro', name: 'Pro' }],
])('the position of %s', (noun, fields) => {
  const path = `/org/${noun}`

  it('is absent unless it is set, and each change is recorded', async () => {
    const caller = await service.organization()

    const created = await caller.rest('POST', path, fields)
    expect(created.body).not.toHaveProperty('position')
    const { key } = created.body

    const set = await caller.rest('PATCH', `${path}/${key}`, { position: -1.5 })
    expect(set.body).toMatchObject({ position: -1.5 })
    expect((await readLog(caller))[0]).toMatchObject({ details: { position: { from: null, to: -1.5 } } })
    expect((await caller.rest('GET', `${path}/${key}`)).body.position).toBe(-1.5)

    const cleared = await caller.rest('PATCH', `${path}/${key}`, { position: null })
    expect(cleared.body).not.toHaveProperty('position')
    expect((await readLog(caller))[0]).toMatchObject({ details: { position: { from: -1.5, to: null } } })
  })

  it('can be set on creation, and read in GraphQL', async () => {
    const caller = await service.organization()

    const created = await caller.rest('POST', path, { ...fields, position: 1e300 })

    expect(created.body.position).toBe(1e300)
    expect((await readLog(caller))[0]).toMatchObject({ details: { position: 1e300 } })
    const { body } = await caller.graphql(`{ ${noun} { position } }`)
    expect(body.data[noun]).toEqual([{ position: 1e300 }])
  })

  it('must be a finite number or null', async () => {
    const caller = await service.organization()
    for (const position of ['1', true, [], {}])
      expectInvalid(await caller.rest('POST', path, { ...fields, position }), [
        'position',
        /^position must be a finite number, or null\.$/,
      ])
    const infinite = await caller.rest('POST', path, JSON.stringify(fields).replace('}', ',"position":1e999}'))
    expect(infinite.status).toBe(422)
  })

  it('does not change the order of the lists', async () => {
    const caller = await service.organization()
    for (const position of [3, 1, 2]) {
      const key = `k${position}`
      await caller.rest('POST', path, { ...fields, key, position })
    }

    const { body } = await caller.rest('GET', path)

    expect(body[noun].map(({ key }: { key: string }) => key)).toEqual(['k2', 'k1', 'k3'])
  })
})
