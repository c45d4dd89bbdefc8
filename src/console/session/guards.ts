import { redirect } from '@tanstack/react-router'
import { isServerError } from '../api/errors.ts'
import { execute } from '../api/execute.ts'
import { queryClient } from '../api/query-client.ts'
import { PersonDocument, ViewerDocument } from '../generated/session.ts'
import { latestOpening, openOrganization } from './ended-session.ts'
import { keepOnlySecretsOf } from './new-secret.ts'
import { readOptions } from './queries.ts'
import { keepOnlyDataOf } from './tab-owner.ts'

/** The signed-in person, or null if nobody is signed in. Asks the server once, and then reads the cache. */
export async function findPerson() {
  const { queryKey } = readOptions(null, PersonDocument, {})
  const known = queryClient.getQueryData(queryKey)
  if (known) return known.user
  try {
    const answer = await execute(PersonDocument, {}, { organizationId: null })
    queryClient.setQueryData(queryKey, answer)
    keepOnlySecretsOf(answer.user.userId)
    keepOnlyDataOf(answer.user.userId)
    return answer.user
  } catch (error) {
    if (!isServerError(error, 'UNAUTHORIZED')) throw error
    keepOnlySecretsOf(null)
    return null
  }
}

type RequestedPage = { href: string }

/** For personal pages. Redirects to the sign-in, which leads back here. */
export async function requirePerson(requestedPage: RequestedPage): Promise<void> {
  if ((await findPerson()) === null) throw redirectToSignIn(requestedPage)
}

/** For pages of an organization: opens the person's session there, if it is not open yet. */
export async function requireMember(organizationId: string, requestedPage: RequestedPage): Promise<void> {
  await requirePerson(requestedPage)
  const { queryKey } = readOptions(organizationId, ViewerDocument, {})
  if (queryClient.getQueryData(queryKey)) return
  const before = latestOpening(organizationId)
  const readViewer = () => execute(ViewerDocument, {}, { organizationId })
  const answer = await readViewer().catch(async (error) => {
    if (!isServerError(error, 'UNAUTHORIZED')) throw error
    if (!(await openOrganization(organizationId, before))) throw redirectToSignIn(requestedPage)
    return readViewer()
  })
  queryClient.setQueryData(queryKey, answer)
}

function redirectToSignIn({ href }: RequestedPage) {
  return redirect({ to: '/sign-in', search: { next: href } })
}

/** The path if it belongs to this site, else "/": a link must not lead people to another site. */
export function localPath(path: string | undefined): string {
  return path !== undefined && /^\/(?![/\\])/.test(path) ? path : '/'
}
