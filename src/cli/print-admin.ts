import type { NewAdmin, NewOrganization } from '../modules/memberships/new-organization.ts'

type Admin = NewOrganization | (NewAdmin & { organizationId: string })

export function toJson(admin: Admin): string {
  return JSON.stringify(toNamedFields(admin), null, 2)
}

export function describeAdmin(admin: Admin): string {
  const lines = Object.entries(toNamedFields(admin)).map(([name, value]) => `  ${name.padEnd(20)}${value}`)
  return [...lines, '', 'The key is shown only once: keep it in a safe place.'].join('\n')
}

function toNamedFields(admin: Admin): Record<string, string> {
  return {
    organization_id: admin.organizationId,
    service_account_id: admin.serviceAccountId,
    member_id: admin.memberId,
    api_key: admin.apiKey,
    ...('inviteLink' in admin && { invite_link: admin.inviteLink }),
  }
}
