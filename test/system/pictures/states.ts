import type { Page } from 'playwright-core'

/** A state of the console. `path` is below the organization; with two slashes, as in `//account`, below the service. */
export type State = {
  name: string
  path: string
  /** The actions on the page before the picture. */
  act?: (page: Page) => Promise<unknown>
  /**
   * Whether both colour schemes are compared at both widths; if not, the dark one on a computer and the light one on a phone.
   */
  isWhole?: true
}

export const states: readonly State[] = [
  { name: 'overview', path: '', isWhole: true },
  { name: 'features', path: '/features', isWhole: true },
  { name: 'feature-create', path: '/features?create=1' },
  { name: 'features-clean-up', path: '/features?tab=clean-up' },
  { name: 'feature', path: '/features/seats', isWhole: true },
  { name: 'feature-edit', path: '/features/region?edit=1' },
  { name: 'feature-api', path: '/features/seats?api=1' },
  { name: 'feature-delete', path: '/features/seats', act: (page) => chooseMore(page, 'Delete') },
  { name: 'plans', path: '/plans', isWhole: true },
  { name: 'plans-cell', path: '/plans', act: raiseLimit },
  { name: 'plans-cell-invalid', path: '/plans', act: (page) => editCell(page, 'Seats', 'many'), isWhole: true },
  { name: 'plans-cell-json', path: '/plans?q=policy', act: (page) => openCell(page, 'Export policy') },
  { name: 'plans-review', path: '/plans', act: reviewChange },
  { name: 'plan-create', path: '/plans?create=1' },
  { name: 'plan', path: '/plans/team', isWhole: true },
  { name: 'plan-edit', path: '/plans/team?edit=1' },
  { name: 'copy-catalog', path: '/copy-catalog' },
  { name: 'subscribers', path: '/subscribers', isWhole: true },
  { name: 'subscriber-create', path: '/subscribers?create=1' },
  { name: 'subscriber', path: '/subscribers/cus_1003', isWhole: true },
  { name: 'subscriber-feature', path: '/subscribers/cus_1003?feature=seats', isWhole: true },
  { name: 'subscriber-plan', path: '/subscribers/cus_1003?change=1&to=free' },
  { name: 'subscriber-plans', path: '/subscribers/cus_1003?tab=plans' },
  { name: 'subscriber-overrides', path: '/subscribers/cus_1003?tab=overrides' },
  { name: 'subscriber-history', path: '/subscribers/cus_1003?tab=history' },
  { name: 'subscriber-check', path: '/subscribers/cus_1003?open=check' },
  { name: 'import', path: '/import' },
  { name: 'bulk', path: '/bulk' },
  { name: 'webhook', path: '/webhook', isWhole: true },
  { name: 'webhook-edit', path: '/webhook?edit=1' },
  { name: 'delivery', path: '/webhook', act: openFirst('Deliveries') },
  { name: 'audit-log', path: '/audit-log', isWhole: true },
  { name: 'audit-entry', path: '/audit-log', act: openFirst('Audit log') },
  { name: 'team', path: '/team', isWhole: true },
  { name: 'team-invite', path: '/team?invite=1' },
  { name: 'team-service-accounts', path: '/team?tab=service-accounts' },
  { name: 'member', path: '/team', act: openPage('Members', 'Ben Larsen') },
  { name: 'service-account', path: '/team?tab=service-accounts', act: openPage('Service accounts', 'Billing sync') },
  { name: 'team-roles', path: '/team?tab=roles' },
  { name: 'settings', path: '/settings' },
  { name: 'search', path: '/settings', act: search },
  { name: 'account', path: '//account' },
  { name: 'organizations', path: '//organizations' },
  { name: 'sign-in', path: '//sign-in' },
  { name: 'sign-up', path: '//sign-up' },
]

async function openCell(page: Page, feature: string): Promise<void> {
  await page
    .getByRole('row', { name: new RegExp(`^${feature}`) })
    .getByRole('gridcell')
    .first()
    .click()
}

async function editCell(page: Page, feature: string, text: string): Promise<void> {
  await openCell(page, feature)
  await page.getByRole('textbox', { name: new RegExp(`^${feature} on`) }).fill(text)
}

async function raiseLimit(page: Page): Promise<void> {
  await editCell(page, 'Seats', '25')
  await page.getByText('Nobody loses anything.').waitFor()
}

async function reviewChange(page: Page): Promise<void> {
  await editCell(page, 'Seats', '1')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Review', exact: false }).click()
  await page.getByRole('dialog').getByText('Reduction').waitFor()
}

function openFirst(table: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.getByRole('table', { name: table }).locator('[data-row-link]').first().click()
    await page.getByRole('dialog').waitFor()
  }
}

function openPage(table: string, name: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.getByRole('table', { name: table }).getByRole('link', { name }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
}

async function chooseMore(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
  await page.getByRole('dialog').waitFor()
}

async function search(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search' }).fill('cus_1003 seats')
  await page.getByRole('option').filter({ hasText: 'entitlement' }).first().waitFor()
}
