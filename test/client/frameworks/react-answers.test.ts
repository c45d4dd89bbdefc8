import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Answers, type ReadClient } from '../../../src/client/frameworks/react-answers.ts'
import { createEntitlements } from '../../../src/client/index.ts'
import { atEnd } from '../../support/at-end.ts'
import { patient, startVendor } from '../../support/client.ts'
import { sharedService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const service = await sharedService()

it('a late answer does not replace a newer one in a page', async () => {
  const { admin } = await startVendor(service)
  const [release, isReleased] = createBarrier()
  let answered = 0
  const entitlements = createEntitlements({
    baseUrl: service.url,
    apiKey: admin.key,
    freshness: { seconds: 60 },
    ...patient,
    async fetch(url, init) {
      const answer = await fetch(url, init as RequestInit)
      if (!url.endsWith('/entitlements')) return answer
      answered += 1
      if (answered === 1) await isReleased
      return answer
    },
  })
  atEnd(() => entitlements.close())
  const details: Promise<unknown>[] = []
  const client: ReadClient = {
    on: (name, listener) => entitlements.on(name, listener),
    peek: (...of) => entitlements.peek(...of),
    snapshot: (of) => entitlements.snapshot(of),
    checkDetail(...of) {
      const detail = entitlements.checkDetail(...of)
      details.push(detail)
      return detail
    },
  }
  const answers = new Answers('acme', null, null)
  const shown = answers.feature('seats')
  const listenedLimits: (number | null)[] = []
  answers.listen(shown, () => void listenedLimits.push(shown.current.limit))
  atEnd(answers.connect(client, { isPatient: false }))
  await until(() => answered === 1)

  const limit = { kind: 'limit', limit: 9 } as const
  await entitlements.api.putOverride({ subscriber_id: 'acme', feature_key: 'seats', ...limit })
  await until(() => shown.current.limit === 9)
  release()
  await Promise.all(details)
  await setImmediate()

  expect(details.length).toBeGreaterThan(1)
  expect(listenedLimits).toEqual([9])
})

function createBarrier(): [open: () => void, isOpen: Promise<void>] {
  let open = () => {}
  const isOpen = new Promise<void>((resolve) => {
    open = resolve
  })
  return [open, isOpen]
}
