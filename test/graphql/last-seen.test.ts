import { expect, it } from 'vitest'
import { addMember, Browser, signUp, trustedLoopback } from '../support/person.ts'
import { sharedService } from '../support/service.ts'

const service = await sharedService(trustedLoopback)

it('a member is shown as active within their first minute in the console', async () => {
  const admin = await service.organization()
  const { organizationId } = admin
  const person = await signUp(service)
  const memberId = await addMember(admin, person, 'viewer')
  const lastSeenAt = async () => {
    const query = 'query ($memberId: ID!) { member(memberId: $memberId) { lastSeenAt } }'
    return (await admin.graphql(query, { memberId })).body.data.member.lastSeenAt
  }
  expect(await lastSeenAt()).toBeNull()

  const browser = new Browser(service)
  await browser.signIn(person)
  await browser.enter(organizationId)
  const { body } = await browser.graphql('{ organization { name } }', {}, { organizationId })

  expect(body.errors).toBeUndefined()
  await expect.poll(lastSeenAt).toMatch(/^\d{4}-/)
})
