import { NetworkError } from './errors.ts'

/** The answer that a page of the vendor's product gets, with its JSON indented. */
export type TokenAnswer = { status: number; body: string }

/** Reads the subscriber's snapshot as a page of the vendor's product does: with only the token, without cookies. */
export async function readWithToken(subscriberId: string, token: string): Promise<TokenAnswer> {
  try {
    const answer = await fetch(`/org/subscribers/${encodeURIComponent(subscriberId)}/entitlements`, {
      headers: { authorization: `Bearer ${token}` },
      credentials: 'omit',
    })
    return { status: answer.status, body: JSON.stringify(await answer.json(), null, 2) }
  } catch (error) {
    throw new NetworkError(error)
  }
}
