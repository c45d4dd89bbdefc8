import { z } from 'zod'
import { namedObject } from '../../core/field-type.ts'
import { name } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { refuse } from '../../core/issues.ts'
import { isSameJson } from '../../core/json.ts'
import { defineWrite } from '../../operation/operation.ts'
import { role } from '../members/member.ts'
import { assertMayHaveGroups, groupRolesAnswer, loadGroupRoles, maxGroupRoles } from './group-role.ts'

const groupRole = namedObject(
  'GroupRoleInput',
  z.object({ group: name().describe('a group, as the identity provider names it'), role: role() }),
  'The role of people in this group at the identity provider.',
)

const groupRoles = z
  .array(groupRole)
  .max(maxGroupRoles)
  .superRefine((given, context) => {
    const seen = new Set<string>()
    for (const [index, { group }] of given.entries()) {
      if (seen.has(group)) refuse(context, 'is given twice.', [String(index), 'group'])
      seen.add(group)
    }
  })
  .describe(`a list of at most ${maxGroupRoles} different groups with their roles`)

/** The roles take effect for each person at their next sign-in. */
export const setGroupRoles = defineWrite({
  name: 'setGroupRoles',
  summary: 'Set the roles of all groups at the identity provider.',
  about: 'Each person gets the strongest role of their groups at their next sign-in.',
  method: 'PUT',
  route: '/org/group-roles',
  service: 'identity',
  labels: ['members:write'],
  adds: false,
  locks: 'organization',
  status: 200,
  input: defineInput({ group_roles: groupRoles }, { unknown: 'ignore' }),
  answer: groupRolesAnswer,
  refusals: ['CONFLICT'],
  async run({ tx, organizationId, input, limits }) {
    const from = await loadGroupRoles(tx, organizationId)
    assertMayHaveGroups(limits, organizationId)
    await tx.groupRole.deleteMany({ where: { organizationId } })
    await tx.groupRole.createMany({ data: input.group_roles.map((each) => ({ organizationId, ...each })) })
    const to = await loadGroupRoles(tx, organizationId)
    return { result: to, details: isSameJson(from, to) ? null : { group_roles: { from, to } } }
  },
})
