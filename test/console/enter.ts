import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TestBrowser } from '../support/browser.ts'
import { addMember, Browser, type Person, signUp } from '../support/person.ts'
import type { Caller, TestService } from '../support/service.ts'
import { type Visitor, visit } from './visitor.ts'

type ServiceAndBrowser = { service: TestService; browser: TestBrowser }

type SignedIn = { person: Person; cookies: ReadonlyMap<string, string> }

type Entered = { visitor: Visitor; person: Person; base: string }

/** Opens a page of the caller's organization, in a new browser, as a new member with this role. */
export async function enter(
  { service, browser }: ServiceAndBrowser,
  caller: Caller,
  role: string,
  path: string,
): Promise<Entered> {
  const { person, cookies } = await getReusableUser(service, caller)
  await addMember(caller, person, role)
  const visitor = visit(await browser.open(service.url))
  const { page } = visitor
  await page.context().addCookies(Array.from(cookies, ([name, value]) => ({ name, value, url: service.url })))
  const base = `${service.url}/o/${caller.organizationId}`
  await page.goto(base + path)
  return { visitor, person, base }
}

/** The people who signed up, and how many of them each organization has as members. */
type FileUsers = { people: Promise<SignedIn>[]; taken: Map<string, number> }

/** The people of each test file. Files share none, because a file may sign them out. */
const usersByFile = new Map<string, FileUsers>()

/** Reuses the users of a test file for all its organizations, because signing up and in takes longer than most tests. */
function getReusableUser(service: TestService, { organizationId }: Caller): Promise<SignedIn> {
  const place = `${expect.getState().testPath} ${service.url}`
  const { people, taken } = usersByFile.get(place) ?? { people: [], taken: new Map() }
  usersByFile.set(place, { people, taken })
  const index = taken.get(organizationId) ?? 0
  taken.set(organizationId, index + 1)
  people[index] ??= signUpAndIn(service)
  return people[index]
}

async function signUpAndIn(service: TestService): Promise<SignedIn> {
  const person = await signUp(service)
  const browser = new Browser(service)
  await browser.signIn(person)
  return { person, cookies: browser.cookies }
}

/**
 * Returns to the page after a minute in another tab, so that the page reads its data again. The page's clock must be installed.
 */
export async function returnToTab(page: Page): Promise<void> {
  await page.clock.fastForward(60_000)
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
}
