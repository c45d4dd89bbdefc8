import type { Page } from 'playwright-core'

const waitForContent = (page: Page) =>
  page.waitForFunction(() => !document.querySelector('[role=status][aria-label=Loading]'))

/**
 * The pages whose first load is measured. `usable` resolves when a person can use the page, which may take `seconds` on a slow
 * connection.
 */
export const slowConnectionPages = [
  {
    name: 'sign-in',
    path: () => '/sign-in',
    isSignedIn: false,
    seconds: 3,
    usable: (page: Page) => page.getByRole('button', { name: 'Sign in' }).waitFor(),
  },
  {
    name: 'overview',
    path: (organizationId: string) => `/o/${organizationId}`,
    isSignedIn: true,
    seconds: 4,
    async usable(page: Page) {
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      await waitForContent(page)
    },
  },
  {
    name: 'subscriber',
    path: (organizationId: string) => `/o/${organizationId}/subscribers/acme`,
    isSignedIn: true,
    seconds: 5,
    async usable(page: Page) {
      await page.getByRole('table').getByRole('link', { name: 'Seats' }).waitFor()
      await waitForContent(page)
    },
  },
] as const
