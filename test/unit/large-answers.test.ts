import type { Readable } from 'node:stream'
import { describe, expect, it, vi } from 'vitest'
import { replyToSnapshot } from '../../rest/eval-replies.ts'
import { Catalog } from '../../src/gate/resolution/catalog.ts'
import { ResolvedEntitlements } from '../../src/gate/resolution/resolved-entitlements.ts'
import { readManyEntitlements } from '../../src/modules/entitlements/read-many-entitlements.ts'

/** A snapshot that is sent in slices. */
function createLargeSnapshot() {
  const catalog = new Catalog('1', [{ key: 'big', kind: 'config' }])
  const override = { kind: 'config', valueJson: `"${'x'.repeat(300_000)}"`, startsAt: null, expiresAt: null } as const
  const release = vi.fn()
  const entitlements = new ResolvedEntitlements({
    catalog,
    planKey: null,
    features: null,
    overrides: new Map([['big', override]]),
    now: new Date(),
    organizationId: 'organization',
    ownerId: 'owner',
    release,
  })
  return { entitlements, release }
}

describe('the memory of a large answer is released', () => {
  it.each([0, 1])('when the client leaves after %i parts of it', async (parts) => {
    const { entitlements, release } = createLargeSnapshot()
    const snapshot = { subscriberId: 'acme', plan: null, entitlements, maxAge: 60 }
    const services = { limits: { answerTimeoutMs: 60_000 } }
    const reply = await replyToSnapshot(snapshot, services as never, { headers: {} } as never)
    const { body: stream } = reply as { body: Readable }

    const read = stream.iterator({ destroyOnReturn: false })
    for (let part = 0; part < parts; part++) await read.next()
    expect(release).not.toHaveBeenCalled()
    stream.destroy()

    await vi.waitFor(() => expect(release).toHaveBeenCalled())
  })

  it('when a later snapshot of the same answer cannot be read', async () => {
    const { entitlements, release } = createLargeSnapshot()
    const gate = {
      evaluate: async () => ({ kind: 'unknown_subscriber' }),
      async evaluateMany({ take }: { take: (id: string, snapshot: object) => Promise<boolean> }) {
        expect(await take('acme', { plan: null, entitlements })).toBe(true)
        throw new Error('read failed')
      },
    }
    const call = {
      gate,
      caller: {},
      organizationId: 'organization',
      share: { owner: 'owner', part: 'organization' },
      api: 'graphql',
      input: { subscriber_ids: ['acme', 'globex'] },
      limits: { maxAnswerBytes: 1_000_000 },
      answered: () => {},
    }

    await expect(readManyEntitlements.run(call as never)).rejects.toThrow('read failed')

    expect(release).toHaveBeenCalled()
  })
})
