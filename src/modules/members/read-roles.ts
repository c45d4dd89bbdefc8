import { z } from 'zod'
import { labelsByRole } from '../../access/roles.ts'
import { defineAnswer, listOf } from '../../core/answer.ts'
import { textField } from '../../core/answer-fields.ts'
import { noInput } from '../../core/input.ts'
import type { Role } from '../../database/generated/enums.ts'
import { defineRead } from '../../operation/operation.ts'
import { role, roles } from './member.ts'

export type RoleWithLabels = { role: Role; labels: string[] }

export const roleAnswer = defineAnswer<RoleWithLabels>('RoleWithLabels', 'A role, and what it allows.', {
  role: role().describe('The name of the role.'),
  labels: z
    .array(textField(1, 64))
    .max(100)
    .describe('The labels of the role, in the same form as `required_labels` in a 403.'),
})

export const listRoles = defineRead({
  name: 'roles',
  summary: 'List the roles with their labels.',
  route: '/org/roles',
  service: 'identity',
  labels: ['org:read'],
  input: noInput,
  answer: listOf('roles', roleAnswer, roles.length),
  async run(): Promise<RoleWithLabels[]> {
    return roles.map((role) => ({ role, labels: [...labelsByRole[role]] }))
  },
})
