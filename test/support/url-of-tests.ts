/**
 * The address for the tests' own statements. Their connections have another name than the service's: test/statements proves
 * that each statement under the service's name touches one organization.
 */
export function toTestUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.set('application_name', 'tests of the entitlements-service')
  return url.href
}
