/**
 * The database for the statements of the tests themselves: their connections do not have the service's name, of whose
 * statements test/statements proves that each is of one organization.
 */
export function urlOfTests(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.set('application_name', 'tests of the entitlements-service')
  return url.href
}
