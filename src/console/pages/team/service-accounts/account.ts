import type { Answer } from '../../../api/typed-document.ts'
import type { Fields } from '../../../components/form/fields.tsx'
import { roleField } from '../../../components/form/role-choice.tsx'
import { allRoles } from '../../../components/text/role-words.ts'
import type { ServiceAccountQuery } from '../../../generated/team.ts'

export type Account = Answer<ServiceAccountQuery>['serviceAccount']

/** The fields of a service account that people can edit. The role belongs to the account's member. */
export const accountFields = {
  name: { label: 'Name', inHead: true },
  role: roleField(allRoles),
} satisfies Fields
