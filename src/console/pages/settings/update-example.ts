import { type ApiExample, writeExample } from '../../components/api/api-examples.ts'
import type { UpdateOrganizationInput } from '../../generated/settings.ts'

/** The API request that changes the organization. */
export function updateOrganizationExample(input: UpdateOrganizationInput): ApiExample {
  return writeExample({ route: 'PATCH /org', mutation: 'updateOrganization', input, answer: 'name environment' })
}
