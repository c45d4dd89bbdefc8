import type { CDPSession, Page } from 'playwright-core'

/**
 * "Slow 4G" as Chromium's developer tools define it: 90 % of 1.6 Mbit/s for downloads and of 0.75 Mbit/s for uploads, and a
 * latency of 3.75 times 150 ms.
 */
const slow4G = { latency: 562.5, downloadThroughput: (1_600_000 / 8) * 0.9, uploadThroughput: (750_000 / 8) * 0.9 }

const slowerProcessor = 4

export type Load = {
  ms: number
  /** Requests that were sent before the page was usable. */
  requests: number
  scripts: number
  /** The bytes transferred, including headers, but not those of fonts, because text is shown without waiting for its font. */
  bytes: number
  /** The length of the longest chain of requests in which each causes the next one; the document alone is 1. */
  depth: number
  /** The layout shifts during the load, as browsers measure them, and the elements that moved. */
  shifts: { value: number; moved: string[] }[]
  /** The GraphQL requests: their bodies, and the times at which they were sent, in seconds since some moment. */
  reads: { body: string; sentAt: number }[]
}

type SentRequest = { url: string; body: string; initiator: string | null; sentAt: number }

/**
 * Opens the address in a browser without a cache, until `usable` resolves. `slow` emulates Slow 4G, and `slowProcessor` a slow
 * processor, for which Chromium keeps a whole core busy.
 */
export async function measureLoad(
  page: Page,
  url: string,
  usable: (page: Page) => Promise<unknown>,
  { slow = false, slowProcessor = false } = {},
): Promise<Load> {
  const client = await page.context().newCDPSession(page)
  await client.send('Network.enable')
  await client.send('Network.setCacheDisabled', { cacheDisabled: true })
  if (slow) await client.send('Network.emulateNetworkConditions', { offline: false, ...slow4G })
  if (slowProcessor) await client.send('Emulation.setCPUThrottlingRate', { rate: slowerProcessor })
  const sent = new Map<string, SentRequest>()
  let bytes = 0
  let loader: string | undefined
  client.on('Network.requestWillBeSent', ({ requestId, loaderId, request, initiator, type, timestamp }) => {
    if (type === 'Document') {
      loader = loaderId
      sent.clear()
    }
    // Until the new document arrives, the previous page may send requests, such as that for the code of the search.
    if (loaderId !== loader) return
    const caller = initiator.stack?.callFrames[0]?.url ?? initiator.url ?? null
    sent.set(requestId, { url: request.url, body: request.postData ?? '', initiator: caller, sentAt: timestamp })
  })
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    // Requests of the previous page, such as the last one for its font, may end now; `sent` does not have them.
    const url = sent.get(requestId)?.url
    if (url !== undefined && !url.endsWith('.woff2')) bytes += encodedDataLength
  })
  const startedAt = performance.now()
  await page.goto(url, { waitUntil: 'commit' })
  await usable(page)
  const ms = performance.now() - startedAt
  const before = [...sent.values()].filter(({ url }) => url.startsWith('http'))
  const found = {
    ms,
    requests: before.length,
    scripts: before.filter(({ url }) => url.endsWith('.js')).length,
    bytes,
    depth: Math.max(...before.map((request) => depthOf(request, before))),
    shifts: await readShifts(page),
    reads: before.filter(({ url }) => url.endsWith('/graphql')).map(({ body, sentAt }) => ({ body, sentAt })),
  }
  if (slow) await resetEmulation(client)
  await client.detach()
  return found
}

function depthOf({ initiator }: SentRequest, all: readonly SentRequest[]): number {
  const caller = all.find(({ url }) => url === initiator)
  return caller ? 1 + depthOf(caller, all) : 1
}

type LayoutShift = PerformanceEntry & { value: number; sources: { node: Element | null }[] }

/** The layout shifts of the current page that no user action caused. */
export function readShifts(page: Page): Promise<Load['shifts']> {
  return page.evaluate(() => {
    const observer = new PerformanceObserver(() => {})
    observer.observe({ type: 'layout-shift', buffered: true })
    const entries = observer.takeRecords() as LayoutShift[]
    observer.disconnect()
    return entries.map(({ value, sources }) => ({
      value,
      moved: sources.map(({ node }) => `${node?.nodeName} ${node?.className} ${node?.textContent?.slice(0, 40)}`),
    }))
  })
}

/** The sum of the shifts. The Web Vitals rate a sum below 0.1 as good. */
export function sumOf(shifts: Load['shifts']): number {
  return shifts.reduce((sum, { value }) => sum + value, 0)
}

async function resetEmulation(client: CDPSession): Promise<void> {
  await client.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await client.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
}
