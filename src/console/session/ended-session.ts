import { isServerError } from '../api/errors.ts'
import { execute } from '../api/execute.ts'
import { queryClient } from '../api/query-client.ts'
import { SignInToOrganizationDocument } from '../generated/session.ts'
import { setMembership } from './lost-membership.ts'

/*
 * When a session has ended, the refused request waits while the person signs in again over the page, and is then
 * sent once more. No typed text is lost.
 */

export type SignInRequest = { answer(isSignedIn: boolean): void }

let signInRequest: SignInRequest | null = null
let signInResult: Promise<boolean> | null = null
const listeners = new Set<() => void>()

/** The pending request to sign in, which the dialog shows; null if there is none. */
export function currentSignInRequest(): SignInRequest | null {
  return signInRequest
}

export function onSignInRequest(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Opens a session again, and asks the person to sign in if necessary. Resolves to whether a session is open. For `before`, see
 * `openOrganization`.
 */
export async function recoverSession(organizationId: string | null, before: Opening): Promise<boolean> {
  if (organizationId !== null && (await openOrganization(organizationId, before))) return true
  const refused = latestOpening(organizationId)
  signInResult ??= requestSignIn()
  if (!(await signInResult)) return false
  return organizationId === null || openOrganization(organizationId, refused)
}

type Opening = Promise<boolean> | undefined

/** The latest opening of each organization: requests that were sent before it ended share it. */
const openings = new Map<string | null, Opening>()
const endedOpenings = new Map<string | null, Opening>()

/** The latest opening that has ended. */
export function latestOpening(organizationId: string | null): Opening {
  return endedOpenings.get(organizationId)
}

/**
 * Opens this browser's session in an organization, unless there is an opening after `before`, which was the latest one when the
 * refused request was sent. False when the person is not signed in.
 */
export function openOrganization(organizationId: string, before: Opening): Promise<boolean> {
  const latest = openings.get(organizationId)
  if (latest && latest !== before) return latest
  const opening = signInToOrganization(organizationId).finally(() => endedOpenings.set(organizationId, opening))
  openings.set(organizationId, opening)
  return opening
}

async function signInToOrganization(organizationId: string): Promise<boolean> {
  try {
    await execute(SignInToOrganizationDocument, { input: { organizationId } }, { organizationId: null })
    setMembership(organizationId, true)
    return true
  } catch (error) {
    if (isServerError(error, 'NOT_FOUND')) {
      setMembership(organizationId, false)
      // The list of the person's organizations is out of date.
      void queryClient.invalidateQueries({ queryKey: ['person'] })
    }
    if (isServerError(error, 'UNAUTHORIZED')) return false
    throw error
  }
}

/** Asks the person to sign in, and resolves to whether they did. Requests that fail together share this promise. */
function requestSignIn(): Promise<boolean> {
  return new Promise((resolve) => {
    setSignInRequest({
      answer(isSignedIn) {
        signInResult = null
        setSignInRequest(null)
        resolve(isSignedIn)
      },
    })
  })
}

function setSignInRequest(next: SignInRequest | null): void {
  signInRequest = next
  for (const listener of listeners) listener()
}
