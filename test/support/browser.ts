import chromiumOfPackage from '@sparticuz/chromium'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll } from 'vitest'

export type TestPage = {
  page: Page
  /** Addresses of other hosts that the page asked for; every one was blocked. */
  strangers: string[]
  /** What the console of the browser complained of. */
  complaints: string[]
}

/** A real Chromium, out of its npm package; CHROMIUM names another one. Closed after the file's tests. */
export async function startBrowser(): Promise<{ open(origin: string): Promise<TestPage> }> {
  const executablePath = process.env.CHROMIUM ?? (await chromiumOfPackage.executablePath())
  const browser: Browser = await chromium.launch({
    executablePath,
    args: [
      ...chromiumOfPackage.args,
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  afterAll(() => browser.close())

  return {
    async open(origin) {
      const page = await browser.newPage({ viewport: { width: 1400, height: 900 } })
      const [strangers, complaints]: [string[], string[]] = [[], []]
      await page.route('**/*', (route) => {
        const { protocol, origin: asked } = new URL(route.request().url())
        if (asked === origin || protocol === 'data:' || protocol === 'blob:') return route.continue()
        strangers.push(route.request().url())
        return route.abort()
      })
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(String(error)))
      return { page, strangers, complaints }
    },
  }
}
