import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { buildFolder } from '../../src/web/console-sources.ts'
import { startBrowser } from '../support/browser.ts'
import { addMember, signUp, trustedLoopback } from '../support/person.ts'
import { sharedService } from '../support/service.ts'
import { visit } from './visitor.ts'

const service = await sharedService(trustedLoopback)
const browser = await startBrowser()
const limitBytes = 305_000

/** The scripts, styles and fonts that the page loads from now on, compressed as browsers accept them over https: with Brotli. */
function countBytes(page: Page): () => number {
  const names = new Set<string>()
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (/\.(js|css|woff2)$/.test(pathname)) names.add(pathname)
  })
  return () => {
    const sizes = [...names].map((name) => {
      const isFont = name.endsWith('.woff2')
      return readFileSync(join(buildFolder, isFont ? name : `${name}.br`)).length
    })
    return sizes.reduce((sum, size) => sum + size, 0)
  }
}

it('the first load of the console transfers less than 305 kB, compressed', async () => {
  const caller = await service.organization()
  const person = await signUp(service)
  await addMember(caller, person, 'admin')
  const visitor = visit(await browser.open(service.url))
  const { page } = visitor
  const signIn = countBytes(page)
  await page.goto(`${service.url}/sign-in`)
  await page.waitForLoadState('networkidle')
  const atSignIn = signIn()
  await visitor.signIn(person)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()

  const overview = countBytes(page)
  await page.reload()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.waitForLoadState('networkidle')

  console.info(`first load: ${atSignIn} bytes to sign in, ${overview()} bytes of the overview`)
  expect(atSignIn).toBeLessThan(limitBytes)
  expect(overview()).toBeLessThan(limitBytes)
})
