import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { trustedLoopback } from '../support/person.ts'
import { sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { fillCatalog } from './catalog.ts'
import { enter } from './enter.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()
const sizes = { phone: { width: 390, height: 844 }, tablet: { width: 1024, height: 768 } }

/** Finds the elements of the page that can be touched, but are invisible. */
function findInvisibleControls(page: Page): Promise<string[]> {
  return page
    .locator('main')
    .evaluate((main) =>
      [...main.querySelectorAll('a, button, [role=button], td.actions')]
        .filter((element) => element.checkVisibility() && !element.checkVisibility({ opacityProperty: true }))
        .map((element) => element.getAttribute('aria-label') ?? element.textContent ?? ''),
    )
}

for (const [size, viewport] of Object.entries(sizes)) {
  it(`shows every action without hovering on a ${size} with a touch screen`, async () => {
    const caller = await service.organization()
    await fillCatalog(caller)
    await caller.rest('PUT', '/org/webhook', { url: 'http://127.0.0.1:9/hook' })
    await vendor(caller).override('acme', 'seats', { kind: 'limit', limit: 4 })
    const touched = { open: (origin: string) => browser.open(origin, { viewport, isMobile: true, hasTouch: true }) }
    const { visitor, base } = await enter({ service, browser: touched }, caller, 'admin', '')
    const { page } = visitor
    for (const [path, row] of [
      ['/plans', /Single sign-on/],
      ['/features', /Seats/],
      ['/subscribers', /acme/],
      ['/subscribers/acme', /Theme/],
      ['/subscribers/acme?tab=overrides', /seats/],
      ['/webhook', /entitlements\.stale/],
      ['/audit-log', /override/],
      ['/team', /Ada/],
    ] as const) {
      await page.goto(base + path)
      await page.locator('main').getByText(row).filter({ visible: true }).first().waitFor()

      expect(await page.evaluate(() => matchMedia('(hover: none)').matches)).toBe(true)
      expect(await findInvisibleControls(page), `${path} on a ${size}`).toEqual([])
    }
    await page.goto(`${base}/plans`)
    await page.getByRole('button', { name: 'Move Seats' }).tap()
    await page.getByRole('menuitem', { name: 'Move up' }).tap()
    await page.getByText(/was moved/).waitFor()
  })
}
