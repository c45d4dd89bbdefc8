import { waitForRunningWrites } from '../../access/rights.ts'
import { noInput } from '../../core/input.ts'
import { defineUserWrite } from '../../operation/operation.ts'
import { lockActingUser } from '../users/user.ts'
import { loadMembership } from './membership.ts'

/**
 * Ends the person's console sessions in the organization. A call from a browser ends the sessions of that browser and sessions
 * opened with a Bearer token. A call with a Bearer token ends all of them.
 */
export const signOutOfOrganization = defineUserWrite({
  name: 'signOutOfOrganization',
  summary: 'End your console sessions in an organization.',
  method: 'POST',
  route: '/user/organizations/{organization_id}/sign-out',
  status: 204,
  recordedIn: 'none',
  input: noInput,
  answer: null,
  async run({ tx, user, path: { organization_id: organizationId } }) {
    const { id: userId } = await lockActingUser(tx, user)
    await waitForRunningWrites(tx, [await loadMembership(tx, userId, organizationId)])
    const { userSessionId } = user
    await tx.consoleSession.deleteMany({
      where: { organizationId, userId, ...(userSessionId && { OR: [{ userSessionId }, { userSessionId: null }] }) },
    })
    return { result: organizationId }
  },
})
