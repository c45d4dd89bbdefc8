import { beforeEach, expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { waitIfNearMidnight } from '../support/far-from-midnight.ts'
import { trustedLoopback } from '../support/person.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { findAllViolations } from './axe.ts'
import { fillCatalog } from './catalog.ts'
import { enter } from './enter.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()

beforeEach(waitIfNearMidnight)

/** Stores today's counts of a feature's answers, as processes would. */
async function storeFeatureUsage(
  { organizationId }: Caller,
  feature: string,
  counts: number[],
  deniedTo: object,
): Promise<void> {
  await service.database.pool.query(
    `insert into feature_usage_day (organization_id, feature_key, date, granted, denied, denied_to)
     values ($1, $2, (now() at time zone 'UTC')::date, $3, $4, $5)`,
    [organizationId, feature, ...counts, JSON.stringify(Object.entries(deniedTo))],
  )
}

async function organization() {
  const caller = await service.organization()
  await fillCatalog(caller)
  await vendor(caller).subscriber('4711', { name: 'Initech' })
  await vendor(caller).subscribe('4711', 'free')
  await storeFeatureUsage(caller, 'seats', [1_199_000, 1_000], { acme: 700, '4711': 300 })
  await storeFeatureUsage(caller, 'sso', [100, 900], { globex: 900 })
  await storeFeatureUsage(caller, 'region', [50, 0], {})
  await service.database.pool.query(
    `insert into eval_usage_day (organization_id, date, used) values ($1, (now() at time zone 'UTC')::date, 1200)`,
    [caller.organizationId],
  )
  return caller
}

it('shows on Overview which features were checked most and denied most, with the values of each bar', async () => {
  const caller = await organization()
  const { visitor, base } = await enter({ service, browser }, caller, 'viewer', '')
  const { page } = visitor
  const section = page.getByRole('region', { name: 'Asked this month' })
  await section.getByText(/about 1\.2 million times: about 1\.2 million granted, 1,900 denied/).waitFor()

  const asked = section.getByRole('region', { name: 'Most asked for' })
  await expect.poll(() => asked.getByRole('link').allInnerTexts()).toEqual(['Seats', 'Single sign-on', 'Data region'])
  await asked.getByText('1.2 million times, under 1% denied').waitFor()
  const denied = section.getByRole('region', { name: 'Most denied' })
  await expect.poll(() => denied.getByRole('link').allInnerTexts()).toEqual(['Seats', 'Single sign-on'])

  expect(await findAllViolations(page)).toEqual([])
  await asked.getByRole('link', { name: 'Seats' }).focus()
  await page.getByRole('tooltip', { name: 'About 1,199,000 granted, 1,000 denied' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('tooltip', { name: 'About 100 granted, 900 denied' }).waitFor()
  await visitor.inspect('overview-asked')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Single sign-on' }).waitFor()
  expect(page.url()).toBe(`${base}/features/sso`)
  visitor.expectNoComplaint()
})

it('says on a new organization’s Overview and feature pages what they will show', async () => {
  const caller = await service.organization()
  await fillCatalog(caller)
  const { visitor } = await enter({ service, browser }, caller, 'admin', '')
  const { page } = visitor
  const section = page.getByRole('region', { name: 'Asked this month' })
  await section.getByText(/^Nothing yet\..*which features they ask for most, and which they are denied/).waitFor()
  await page.goto(`${page.url()}/features/seats`)
  await page.getByText(/^No check asked for it this month/).waitFor()
  await page.getByText(/^No check was denied it this month/).waitFor()
  visitor.expectNoComplaint()
})

it('shows on a feature’s page how often it was checked, and which subscribers were denied it most', async () => {
  const caller = await organization()
  const { visitor } = await enter({ service, browser }, caller, 'support', '/features/seats')
  const { page } = visitor
  const section = page.getByRole('region', { name: 'Asked this month' })
  await section.getByText('Asked for about 1.2 million times this month').waitFor()
  await section.getByText(/denied about 1,000 times/).waitFor()
  const denied = page.getByRole('table', { name: 'Subscribers that were denied this feature' })
  await denied.getByRole('row', { name: /^acme acme about 700 times/ }).waitFor()
  await denied.getByRole('link', { name: 'Initech' }).waitFor()
  await page.getByText('Denied to about 2 subscribers.').waitFor()
  await visitor.inspect('feature-asked')
  expect(await findAllViolations(page)).toEqual([])

  await page.goto(page.url().replace('/seats', '/sso'))
  await page.getByText('Denied to about 1 subscriber. It is not part of free (held by 1).').waitFor()
  await page.goBack()
  await denied.getByRole('link', { name: 'Initech' }).click()
  await page.getByRole('heading', { level: 1, name: 'Initech' }).waitFor()
  visitor.expectNoComplaint()
})

it('shows the values of a chart’s bar on hover and with the arrow keys', async () => {
  const caller = await organization()
  const { visitor } = await enter({ service, browser }, caller, 'viewer', '/features/seats')
  const { page } = visitor
  const chart = page.getByRole('slider', { name: /^Checks in .* by day/ })
  const values = chart.getByText(/granted/)
  const today = new Date().getUTCDate()
  await chart.waitFor()
  expect(await values.count()).toBe(0)

  const box = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const days = Number(await chart.getAttribute('aria-valuemax'))
  const middleOf = (day: number) => box.x + ((day - 0.5) / days) * box.width
  await page.mouse.move(middleOf(today), box.y + box.height / 2)
  await values.getByText('about 1,199,000 granted, 1,000 denied').or(values).first().waitFor()
  await expect.poll(() => chart.innerText()).toContain('1,199,000 granted, 1,000 denied')
  await page.mouse.move(5, 5)
  await expect.poll(() => values.count()).toBe(0)

  await chart.focus()
  expect(await chart.getAttribute('aria-valuetext')).toMatch(/: about 1,199,000 granted, 1,000 denied$/)
  await page.keyboard.press('Home')
  expect(await chart.getAttribute('aria-valuetext')).toMatch(/^1 [A-Z]/)
  await page.keyboard.press('ArrowRight')
  expect(await chart.getAttribute('aria-valuenow')).toBe('2')
  await expect.poll(() => chart.innerText()).toMatch(/^2 [A-Z]/m)
  await page.keyboard.press('Escape')
  await expect.poll(() => values.count()).toBe(0)

  const list = page.getByRole('list', { name: /^Checks in .* by day$/ })
  expect(await list.getByRole('listitem').count()).toBe(days)
  await list.getByText(/: about 1,199,000 granted, 1,000 denied$/).waitFor({ state: 'attached' })
  visitor.expectNoComplaint()
})
