import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { addressOf, frontPageFile } from '../../rest/docs/addresses.ts'
import { readDocuments } from '../../rest/docs/documents.ts'
import { findAllViolations } from '../console/axe.ts'
import { startBrowser } from '../support/browser.ts'
import { sharedService } from '../support/service.ts'

const service = await sharedService()
const browser = await startBrowser()
const { listed } = readDocuments() as NonNullable<ReturnType<typeof readDocuments>>

const views = [
  { name: 'desktop', width: 1440, height: 900, colorScheme: 'dark' },
  { name: 'phone', width: 360, height: 780, colorScheme: 'light' },
] as const

/** Takes a screenshot if SCREENSHOTS names a folder for them. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: `${folder}/${name}.png` })
}

/** The front page, a guide with code and tables, and the longest document: all others are made of the same parts. */
const checkedByAxe = [frontPageFile, 'docs/guides/webhooks.md', 'docs/contract.md']

describe('a document', async () => {
  const { page, foreignUrls, consoleErrors } = await browser.open(service.url)

  it.each([frontPageFile, ...listed])(
    '%s fits wide and narrow windows, in the light and the dark theme',
    async (file) => {
      await page.goto(service.url + addressOf(file))
      await page.getByRole('searchbox').waitFor()

      for (const { name, width, height, colorScheme } of views) {
        await page.setViewportSize({ width, height })
        await page.emulateMedia({ colorScheme })
        await shoot(page, `${file.replaceAll('/', '-').replace('.md', '')}-${name}`)
        const [scrollWidth, background] = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          getComputedStyle(document.body).backgroundColor,
        ])
        expect(scrollWidth, name).toBeLessThanOrEqual(width)
        expect(background, name).toBe(colorScheme === 'dark' ? 'rgb(19, 19, 22)' : 'rgb(255, 255, 255)')
        if (checkedByAxe.includes(file)) expect(await findAllViolations(page), name).toEqual([])
      }
      expect({ foreignUrls, consoleErrors }).toEqual({ foreignUrls: [], consoleErrors: [] })
    },
  )
})

it.each(views)('the reference passes axe on a $name', async ({ name, width, height, colorScheme }) => {
  const { page } = await browser.open(service.url)
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme })
  await page.goto(`${service.url}/docs/reference`)
  await page.getByRole('heading', { name: 'Entitlements Service' }).waitFor()
  await shoot(page, `reference-${name}`)

  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  // Scalar fades its sections in.
  await expect.poll(() => findAllViolations(page)).toEqual([])
})

describe('the search', () => {
  async function open(address = '/docs') {
    const found = await browser.open(service.url)
    await found.page.goto(service.url + address)
    await found.page.getByRole('searchbox').waitFor()
    return found
  }

  it('works by keyboard alone: "/" focuses it, the arrow keys move through the results, and Enter opens one', async () => {
    const { page, consoleErrors } = await open()
    const results = page.getByRole('region', { name: 'Results' }).getByRole('link')

    await page.keyboard.press('/')
    await page.keyboard.type('fail closed')
    await results.first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await results.nth(1).evaluate((link) => link === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await page.getByRole('searchbox').evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')

    await page.waitForURL('**/docs/guides/caching-and-freshness#what-happens-while-the-service-is-unavailable')
    expect(consoleErrors).toEqual([])
  })

  describe('results', async () => {
    const { page } = await open('/docs/guides/limits')

    it.each([
      ['Idempotency-Key', 'A write that got no answer'],
      ['PLAN_ARCHIVED', 'Every code'],
      ['unknown subscribers', 'Unknown subscribers and features'],
      ['webhook signature', 'Verify'],
      ['POST /org/plans', 'POST /org/plans'],
      ['fastify express', '3. Ask in the route'],
      ['createPlan', 'POST /org/plans'],
      ['pagination', 'Pages'],
      ['idempotent', 'A write that got no answer'],
      ['helm', 'Kubernetes'],
      ['changelog', 'Changelog'],
      ['patroni', 'Patroni'],
      ['python', 'Without the client'],
    ])('for "%s" include "%s"', async (words, heading) => {
      await page.getByRole('searchbox').fill(words)

      await page.getByRole('region', { name: 'Results' }).getByText(heading, { exact: true }).first().waitFor()
    })
  })

  it('tells a screen reader how many results it found, or that it found none', async () => {
    const { page } = await open()
    const status = page.getByRole('status')

    await page.getByRole('searchbox').fill('retry-after')
    await expect.poll(() => status.textContent()).toMatch(/^\d+ results/)
    expect(await findAllViolations(page)).toEqual([])
    await shoot(page, 'search-desktop')
    await page.getByRole('searchbox').fill('xylophone')
    await expect.poll(() => status.textContent()).toBe('No result contains all of these words.')

    await page.keyboard.press('Escape')
    await expect.poll(() => status.textContent()).toBe('')
    expect(await page.getByRole('region', { name: 'Results' }).isVisible()).toBe(false)
  })

  it('shows markup in the documents as text', async () => {
    const { page, consoleErrors } = await open()
    await page.getByRole('searchbox').fill('<ExportButton />')

    await page.getByRole('region', { name: 'Results' }).getByText('<ExportButton />').first().waitFor()
    expect(consoleErrors).toEqual([])
  })

  it('requires scripts, without which the documents can still be read', async () => {
    const { page } = await open()
    const bare = await page.context().browser()?.newContext({ javaScriptEnabled: false })
    const other = await bare?.newPage()
    await other?.goto(`${service.url}/docs/guides/errors`)

    expect(await other?.getByRole('searchbox').count()).toBe(0)
    await expect.poll(() => other?.getByRole('heading', { name: 'Every code' }).isVisible()).toBe(true)
    await bare?.close()
  })
})

describe('old links to the reference', () => {
  it.each([
    ['createPlan', 'tag/plans/createPlan'],
    ['events', 'tag/webhook'],
    ['Plan', 'models/Plan'],
  ])('/docs#%s leads to /docs/reference#%s', async (anchor, place) => {
    const { page } = await browser.open(service.url)
    await page.goto(`${service.url}/docs#${anchor}`)

    await page.waitForURL(`**/docs/reference#${place}*`)
    await page.locator(`[id$="${place}"]`).first().waitFor()
  })

  it('/docs#reference stays on the front page, which has this heading', async () => {
    const { page } = await browser.open(service.url)
    await page.goto(`${service.url}/docs#reference`)
    await page.getByRole('searchbox').waitFor()

    expect(new URL(page.url()).pathname).toBe('/docs')
  })
})
