import { lookUpTokenSubjects } from '../access/look-up-token-subjects.ts'
import { organizationMoveInProgress } from '../access/organization-move.ts'
import type { Label } from '../access/roles.ts'
import { type TokenSubject, tokenHasEnded } from '../access/subscriber-token.ts'
import type { Services } from './services.ts'

/**
 * Higher than the limits on a subscriber's evals, polls and streams together: requests beyond this rate are refused without a
 * query to the database.
 */
const maxRequestsPerSecond = 20

/** Called before the database is queried: throws 429 if a subscriber's tokens send far too many requests to this process. */
export function consumeRateLimit({ rateLimiter }: Services, tokenSubject: TokenSubject): void {
  rateLimiter.take('by token', tokenSubjectId(tokenSubject), maxRequestsPerSecond)
}

/** Identifies the subscriber among the subscribers of all organizations. */
export function tokenSubjectId({ organizationId, subscriberId }: TokenSubject): string {
  return `${organizationId} ${subscriberId}`
}

/** Throws 401 if the token has ended; otherwise returns the owner whose share its requests use. */
export async function assertTokenSubject(
  services: Services,
  { labels }: { labels: readonly Label[] },
  tokenSubject: TokenSubject,
): Promise<{ ownerId: string }> {
  consumeRateLimit(services, tokenSubject)
  const { database, lookups } = services
  const [current] = await lookups.ofOwner(tokenSubject.organizationId, () =>
    database.read((pool) => lookUpTokenSubjects(pool, [tokenSubject], labels)),
  )
  if (!current) throw tokenHasEnded()
  if (current.isMoved) throw organizationMoveInProgress()
  return current
}
