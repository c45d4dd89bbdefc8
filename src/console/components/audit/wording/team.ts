import { asChange, changeOf } from '../details.ts'
import { key, named, type Sentence, words } from '../sentence.ts'
import { changed } from './changes.ts'
import type { Told, Wordings } from './wording.ts'

const member = ({ param, nameOf }: Told): Sentence => [nameOf('MEMBER', param('member_id'))]
const account = ({ param, nameOf }: Told) =>
  words`service account ${nameOf('SERVICE_ACCOUNT', param('service_account_id'))}`
const role = ({ details }: Told) => String(details?.role ?? '')

const members: Wordings = {
  'POST /org/members': {
    tried: () => words`add a member`,
    did: (told) => words`added ${told.nameOf('MEMBER', told.createdId ?? '')} as ${role(told)}`,
  },
  'PATCH /org/members/{member_id}': {
    tried: (told) => words`change member ${member(told)}`,
    did: describeMemberUpdate,
  },
  'DELETE /org/members/{member_id}': {
    tried: (told) => words`remove ${member(told)} from the team`,
    did: (told) => words`removed ${member(told)} from the team`,
  },
  'GET /org/invites': {
    tried: () => words`look at the invites`,
    did: () => words`looked at the invites and their links`,
  },
  'POST /org/invites': {
    tried: () => words`invite someone`,
    did: (told) => words`invited someone as ${role(told)}`,
  },
  'DELETE /org/invites/{invite_id}': {
    tried: ({ param }) => words`withdraw invite ${key(param('invite_id'))}`,
    did: ({ param }) => words`withdrew invite ${key(param('invite_id'))}`,
  },
}

const accounts: Wordings = {
  'POST /org/service-accounts': {
    tried: () => words`create a service account`,
    did: (told) => words`created service account ${named(String(told.details?.name ?? ''))} as ${role(told)}`,
  },
  'PATCH /org/service-accounts/{service_account_id}': {
    tried: (told) => words`change ${account(told)}`,
    did: (told) => changed(account(told), told.details),
  },
  'DELETE /org/service-accounts/{service_account_id}': {
    tried: (told) => words`delete ${account(told)}`,
    did: (told) => words`deleted ${account(told)} with its keys`,
  },
  'POST /org/service-accounts/{service_account_id}/api-keys': {
    tried: (told) => words`create a key of ${account(told)}`,
    did: (told) => words`created key ${key(`${told.details?.key_prefix ?? ''}…`)} of ${account(told)}`,
  },
  'DELETE /org/service-accounts/{service_account_id}/api-keys/{key_id}': {
    tried: (told) => words`revoke a key of ${account(told)}`,
    did: (told) => words`revoked key ${told.nameOf('API_KEY', told.param('key_id'))} of ${account(told)}`,
  },
}

const organization: Wordings = {
  'PATCH /org': {
    tried: () => words`change the organization`,
    did: ({ details }) => changed(['the organization'], details),
  },
  'POST /user/organizations': {
    tried: () => words`create the organization`,
    did: () => words`created the organization`,
  },
  'POST /user/organizations/join': {
    tried: () => words`join the organization`,
    did: () => words`joined by an invite`,
  },
  'DELETE /user/organizations/{organization_id}': {
    tried: () => words`leave the organization`,
    did: () => words`left the organization`,
  },
  'POST /user/organizations/{organization_id}/sign-in': {
    tried: () => words`sign in`,
    did: () => words`signed in`,
  },
  'POST /user/organizations/{organization_id}/sign-out': {
    tried: () => words`sign out`,
    did: () => words`signed out`,
  },
}

export const teamWordings: Wordings = { ...members, ...accounts, ...organization }

function describeMemberUpdate(told: Told): Sentence {
  const { details } = told
  const fields = Object.keys(details ?? {})
  if (details && fields.length === 1) {
    const roles = changeOf(details, 'role')
    if (roles) return words`changed the role of ${member(told)} from ${String(roles.from)} to ${String(roles.to)}`
    const status = asChange(details.status)
    if (status) return words`${status.to === 'disabled' ? 'disabled' : 'enabled'} ${member(told)}`
  }
  return changed(member(told), details, 'display_name')
}
