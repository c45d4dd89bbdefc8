import { expect, it, onTestFinished, vi } from 'vitest'
import { lazyComponent, retryFailedComponents } from '../../../src/console/frame/lazy-component.ts'

it("a page's code is fetched again at once if the person chose to try again before the first attempt failed", async () => {
  const { promise: whetherAnswers, reject } = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', () => whetherAnswers)
  onTestFinished(() => void vi.unstubAllGlobals())
  let loads = 0
  const Page = lazyComponent(async () => {
    loads += 1
    if (loads === 1) throw new Error('offline')
    return { Page: () => null }
  }, 'Page')

  const loading = Page.preload()
  retryFailedComponents()
  reject(new Error('offline'))
  await loading

  expect(loads).toBe(2)
})
