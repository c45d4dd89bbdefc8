import { asChange, changeOf } from '../details.ts'
import { key, namePart, type Sentence, words } from '../sentence.ts'
import { describeFieldChanges } from './changes.ts'
import type { EntryFacts, Wordings } from './wording.ts'

const member = ({ param, nameOf }: EntryFacts): Sentence => [nameOf('MEMBER', param('member_id'))]
const account = ({ param, nameOf }: EntryFacts) =>
  words`service account ${nameOf('SERVICE_ACCOUNT', param('service_account_id'))}`
const role = ({ details }: EntryFacts) => String(details?.role ?? '')

const members: Wordings = {
  'POST /org/members': {
    tried: () => words`add a member`,
    did: (facts) => words`added ${facts.nameOf('MEMBER', facts.createdId ?? '')} as ${role(facts)}`,
  },
  'PATCH /org/members/{member_id}': {
    tried: (facts) => words`change member ${member(facts)}`,
    did: describeMemberUpdate,
  },
  'DELETE /org/members/{member_id}': {
    tried: (facts) => words`remove ${member(facts)} from the team`,
    did: (facts) => words`removed ${member(facts)} from the team`,
  },
  'GET /auth/oidc/callback': {
    tried: () => words`sign in`,
    did: (facts) =>
      facts.createdId === null
        ? words`signed in, and their groups ${describeMemberUpdate(facts)}`
        : words`joined by a group as ${role(facts)}`,
  },
  'PUT /org/group-roles': {
    tried: () => words`set the roles of groups`,
    did: () => words`set the roles of groups`,
  },
  'GET /org/invites': {
    tried: () => words`view the invites`,
    did: () => words`viewed the invites and their links`,
  },
  'POST /org/invites': {
    tried: () => words`invite someone`,
    did: (facts) => words`invited someone as ${role(facts)}`,
  },
  'DELETE /org/invites/{invite_id}': {
    tried: ({ param }) => words`revoke invite ${key(param('invite_id'))}`,
    did: ({ param }) => words`revoked invite ${key(param('invite_id'))}`,
  },
}

const accounts: Wordings = {
  'POST /org/service-accounts': {
    tried: () => words`create a service account`,
    did: (facts) => words`created service account ${namePart(String(facts.details?.name ?? ''))} as ${role(facts)}`,
  },
  'PATCH /org/service-accounts/{service_account_id}': {
    tried: (facts) => words`change ${account(facts)}`,
    did: (facts) => describeFieldChanges(account(facts), facts.details),
  },
  'DELETE /org/service-accounts/{service_account_id}': {
    tried: (facts) => words`delete ${account(facts)}`,
    did: (facts) => words`deleted ${account(facts)} with its keys`,
  },
  'POST /org/service-accounts/{service_account_id}/api-keys': {
    tried: (facts) => words`create a key for ${account(facts)}`,
    did: (facts) => words`created key ${key(`${facts.details?.key_prefix ?? ''}…`)} for ${account(facts)}`,
  },
  'DELETE /org/service-accounts/{service_account_id}/api-keys/{key_id}': {
    tried: (facts) => words`revoke a key of ${account(facts)}`,
    did: (facts) => words`revoked key ${facts.nameOf('API_KEY', facts.param('key_id'))} of ${account(facts)}`,
  },
}

const organization: Wordings = {
  'PATCH /org': {
    tried: () => words`change the organization`,
    did: ({ details }) => describeFieldChanges(['the organization'], details),
  },
  'POST /user/organizations': {
    tried: () => words`create the organization`,
    did: () => words`created the organization`,
  },
  'POST /user/organizations/join': {
    tried: () => words`join the organization`,
    did: () => words`joined with an invite`,
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

function describeMemberUpdate(facts: EntryFacts): Sentence {
  const { details } = facts
  const fields = Object.keys(details ?? {})
  if (details && fields.length === 1) {
    const roles = changeOf(details, 'role')
    if (roles) return words`changed the role of ${member(facts)} from ${String(roles.from)} to ${String(roles.to)}`
    const status = asChange(details.status)
    if (status) return words`${status.to === 'disabled' ? 'disabled' : 'enabled'} ${member(facts)}`
  }
  return describeFieldChanges(member(facts), details, 'display_name')
}
