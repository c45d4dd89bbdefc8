import { noInput } from '../../core/input.ts'
import { defineRead } from '../../operation/operation.ts'
import { assertMayHaveGroups, type GroupRole, groupRolesAnswer, loadGroupRoles } from './group-role.ts'

export const listGroupRoles = defineRead({
  name: 'groupRoles',
  summary: 'List the roles that groups at the identity provider have.',
  route: '/org/group-roles',
  service: 'identity',
  labels: ['members:read'],
  input: noInput,
  answer: groupRolesAnswer,
  refusals: ['CONFLICT'],
  async run({ db, organizationId, limits }): Promise<GroupRole[]> {
    assertMayHaveGroups(limits, organizationId)
    return loadGroupRoles(db, organizationId)
  },
})
