import type { TestPage } from '../support/browser.ts'
import { addMember, type Person, signUp } from '../support/person.ts'
import type { Caller, TestService } from '../support/service.ts'
import { type Visitor, visit } from './visitor.ts'

type Entered = { visitor: Visitor; person: Person; base: string }

/** A new person with this role in the caller's organization, signed in, in a browser of their own, on one of its pages. */
export async function enter(
  { service, browser }: { service: TestService; browser: { open(origin: string): Promise<TestPage> } },
  caller: Caller,
  role: string,
  path: string,
): Promise<Entered> {
  const person = await signUp(service)
  await addMember(caller, person, role)
  const visitor = visit(await browser.open(service.url))
  const base = `${service.url}/o/${caller.organizationId}`
  await visitor.page.goto(base + path)
  await visitor.signIn(person)
  return { visitor, person, base }
}
