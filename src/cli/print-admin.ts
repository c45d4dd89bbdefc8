import type { NewOrganization } from '../modules/organizations/create-organization.ts'

export function toJson(admin: NewOrganization): string {
  return JSON.stringify(namesOf(admin), null, 2)
}

export function describeAdmin(admin: NewOrganization): string {
  const lines = Object.entries(namesOf(admin)).map(([name, value]) => `  ${name.padEnd(20)}${value}`)
  return [...lines, '', 'The key is shown this once: keep it in a safe place.'].join('\n')
}

function namesOf({ organizationId, serviceAccountId, memberId, apiKey }: NewOrganization): Record<string, string> {
  return {
    organization_id: organizationId,
    service_account_id: serviceAccountId,
    member_id: memberId,
    api_key: apiKey,
  }
}
