const sentences = new Map([
  ['POST /user/sign-up', 'Signed up'],
  ['POST /user/sign-in', 'Signed in'],
  ['POST /user/sign-out', 'Signed out'],
  ['POST /user/password', 'Changed the password'],
  ['PATCH /user', 'Changed the name'],
  ['DELETE /user', 'Deleted the account'],
  ['DELETE /user/sessions/{id}', 'Ended a session'],
  ['DELETE /user/sessions', 'Ended all other sessions'],
  ['POST /user/organizations', 'Created an organization'],
  ['POST /user/organizations/join', 'Joined an organization'],
  ['POST /user/organizations/{organization_id}/sign-in', 'Opened an organization'],
  ['POST /user/organizations/{organization_id}/sign-out', 'Left the console of an organization'],
  ['DELETE /user/organizations/{organization_id}', 'Left an organization'],
])

/** An entry of a person's own log as a sentence; the route itself where there is none. */
export function describeOwnAction({ method, route }: { method: string; route: string }): string {
  return sentences.get(`${method} ${route}`) ?? `${method} ${route}`
}
