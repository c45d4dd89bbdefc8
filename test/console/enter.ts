import type { TestBrowser } from '../support/browser.ts'
import { addMember, Browser, type Person, signUp } from '../support/person.ts'
import type { Caller, TestService } from '../support/service.ts'
import { type Visitor, visit } from './visitor.ts'

type Places = { service: TestService; browser: TestBrowser }

type SignedIn = { person: Person; cookies: ReadonlyMap<string, string> }

type Entered = { visitor: Visitor; person: Person; base: string }

/** A person who is new to the caller's organization, with this role there, signed in, in a browser of their own, on one of its pages. */
export async function enter(
  { service, browser }: Places,
  caller: Caller,
  role: string,
  path: string,
): Promise<Entered> {
  const { person, cookies } = await newcomer(service, caller)
  await addMember(caller, person, role)
  const visitor = visit(await browser.open(service.url))
  const { page } = visitor
  await page.context().addCookies(Array.from(cookies, ([name, value]) => ({ name, value, url: service.url })))
  const base = `${service.url}/o/${caller.organizationId}`
  await page.goto(base + path)
  return { visitor, person, base }
}

/** Who has signed up at a service, and how many of them each organization has already. */
type Guests = { people: Promise<SignedIn>[]; taken: Map<string, number> }

const guests = new WeakMap<TestService, Guests>()

/** The same people go through all organizations of a service, since signing up and in takes longer than most pages. */
function newcomer(service: TestService, { organizationId }: Caller): Promise<SignedIn> {
  const { people, taken } = guests.get(service) ?? { people: [], taken: new Map() }
  guests.set(service, { people, taken })
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
