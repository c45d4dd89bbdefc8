import { expect, it } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { addMember, trustedLoopback } from '../support/person.ts'
import { type Caller, sharedService } from '../support/service.ts'
import { vendor } from '../support/vendor.ts'
import { fillCatalog } from './catalog.ts'
import { enter } from './enter.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()

/** Opens the plans of an organization as a developer who is also a member of an organization called Staging. */
async function enterSource(roleThere = 'developer') {
  const [here, there] = [await service.organization(), await service.organization()]
  await fillCatalog(here)
  await there.rest('PATCH', '/org', { name: 'Staging', environment: 'test' })
  const entered = await enter({ service, browser }, here, 'developer', '/plans')
  await addMember(there, entered.person, roleThere)
  // The page read the list of organizations before the person was a member of Staging.
  await entered.visitor.page.reload()
  return { ...entered, here, there, page: entered.visitor.page }
}

/** The catalog as the API lists it, without timestamps. */
async function catalogOf(caller: Caller) {
  const { features } = (await caller.rest('GET', '/org/features')).body
  const { plans } = (await caller.rest('GET', '/org/plans?include_archived=true')).body
  const timeless = ({ created_at: _, updated_at: __, archived_at, ...item }: Record<string, unknown>) => ({
    ...item,
    ...(archived_at !== undefined && { isArchived: archived_at !== null }),
  })
  return { features: features.map(timeless), plans: plans.map(timeless) }
}

it('shows what a copy of the catalog would change in another organization, and copies it', async () => {
  const { visitor, page, here, there } = await enterSource()
  await here.rest('PATCH', '/org/plans/pro', { position: 2 })
  await here.rest('POST', '/org/plans/enterprise/archive')
  const { feature, plan, subscriber, subscribe } = vendor(there)
  await feature('seats', { kind: 'limit', name: 'Places' })
  await feature('region', { kind: 'config', value_type: 'enum', options: ['ap-south', 'us-east'], name: 'Data region' })
  await feature('beta', { kind: 'flag', name: 'Beta' })
  await feature('theme', { kind: 'config', value_type: 'json', name: 'Theme' })
  await plan('pro', {
    seats: { kind: 'limit', limit: 5000 },
    region: { kind: 'config', value: 'ap-south' },
    theme: { kind: 'config', value: { accent: 'green', dense: true, beta: 1 } },
  })
  await plan('trial', { beta: { kind: 'flag' } })
  for (const [id, planKey] of [
    ['globex', 'trial'],
    ['acme', 'pro'],
  ] as const) {
    await subscriber(id)
    await subscribe(id, planKey)
  }

  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Copy catalog to…' }).click()
  await page.getByRole('radio', { name: /^Staging/ }).check()
  await page.getByRole('region', { name: 'New' }).getByText('Single sign-on').waitFor()
  const changed = page.getByRole('region', { name: 'Changed' })
  await changed.getByRole('region', { name: 'Places' }).getByText('Places Seats').waitFor()
  await changed.getByText('less than before').waitFor()
  const byKey = changed.getByRole('list', { name: 'Changes by key' })
  await expect.poll(() => byKey.innerText()).toBe('accent from "green" to "blue"\nbeta removed: 1')
  expect((await catalogOf(there)).plans).toHaveLength(2)
  await visitor.inspect('copy-difference')

  await page.getByRole('checkbox', { name: 'Remove these too' }).check()
  await page.getByRole('button', { name: /^Copy \d+ changes to Staging \(test\)$/ }).click()
  const question = page.getByRole('dialog', { name: 'Change Staging (test)?' })
  await question.getByText('On 1 plan, subscribers get less than before.').waitFor()
  await question.getByRole('button', { name: /^Copy/ }).click()
  await page.getByText(/changes copied to Staging/).waitFor()
  await page.getByText('Staging has the same features and plans.').waitFor()
  await visitor.inspect('copy-done')

  const [source, target] = [await catalogOf(here), await catalogOf(there)]
  const sorted = <Item extends { key?: unknown }>(items: Item[]) =>
    items.toSorted((one, other) => (String(one.key) < String(other.key) ? -1 : 1))
  // A subscriber is on the plan "trial", so the copy archived that plan, and did not delete the feature that it grants.
  expect(target.plans.find(({ key }: { key: string }) => key === 'trial')?.isArchived).toBe(true)
  const kept = ({ key }: { key?: unknown }) => key !== 'trial' && key !== 'beta'
  expect(sorted(target.features.filter(kept))).toEqual(sorted(source.features))
  expect(sorted(target.plans.filter(kept))).toEqual(sorted(source.plans))
  visitor.expectNoComplaint()
})

it('says what prevents a copy of the catalog, and copies once this is resolved', async () => {
  const { page, base, there } = await enterSource()
  await there.rest('POST', '/org/features', { key: 'sso', kind: 'limit', name: 'Sign-ons' })

  await page.goto(`${base}/copy-catalog?to=${there.organizationId}`)
  await page.getByText('feature sso: kind cannot change from limit to flag.').waitFor()
  const copy = page.getByRole('button', { name: /^Copy \d+ changes? to Staging/ })
  expect(await copy.isDisabled()).toBe(true)
  await there.rest('DELETE', '/org/features/sso')
  await page.reload()
  await expect.poll(() => copy.isEnabled()).toBe(true)

  // After the page showed the difference, somebody else creates a feature that the copy would create.
  await there.rest('POST', '/org/features', { key: 'sso', kind: 'flag', name: 'Single sign-on' })
  await copy.click()
  await page.getByRole('alert').getByText('Somebody else has changed feature sso meanwhile.').waitFor()
  await page.getByText(/^0 of \d+ changes made/).waitFor()
  expect((await catalogOf(there)).features).toHaveLength(1)
  await copy.click()
  await page.getByText('Staging has the same features and plans.').waitFor()
})

it('stops a copy of the catalog at the first change that fails, says how far it got, and continues later', async () => {
  const { page, base, there } = await enterSource()
  await page.goto(`${base}/copy-catalog?to=${there.organizationId}`)
  const copy = page.getByRole('button', { name: /^Copy \d+ changes to Staging/ })
  await copy.waitFor()
  let isCut = true
  await page.route('**/graphql', (route) =>
    isCut && route.request().postData()?.includes('mutation CreatePlan') ? route.abort() : route.continue(),
  )
  await copy.click()
  await page.getByText(/It stopped at plan free\. 6 of 9 changes made\. Below is what is left/).waitFor()
  isCut = false
  await page.getByRole('button', { name: 'Copy 3 changes to Staging (test)' }).click()
  await page.getByText('3 changes copied to Staging').waitFor()
})

it('offers a copy of the catalog only to people who may write in the other organization', async () => {
  const { visitor, page, base, there } = await enterSource('viewer')
  await page.goto(`${base}/copy-catalog`)
  await page.locator(`input[value="${there.organizationId}"]`).check()
  await page.getByText('Your role in Staging, viewer, cannot change features and plans.').waitFor()
  expect(await page.getByRole('button', { name: /^Copy \d/ }).count()).toBe(0)
  await visitor.inspect('copy-viewer')
  visitor.expectNoComplaint()
})
