import { lookUpTokenSubjects } from '../access/look-up-token-subjects.ts'
import { organizationIsMoving } from '../access/moving.ts'
import type { Label } from '../access/roles.ts'
import { hasEnded, type TokenSubject } from '../access/subscriber-token.ts'
import type { Services } from './services.ts'

/**
 * More than the evals, polls and streams that a subscriber's tokens may have: requests beyond it are refused without the
 * database.
 */
const turnsPerSecond = 20

/** Called before the database is queried: 429 for a subscriber whose tokens send far too many requests to this process. */
export function consumeRateLimit({ rateLimiter }: Services, tokenSubject: TokenSubject): void {
  rateLimiter.take('by token', tokenSubjectId(tokenSubject), turnsPerSecond)
}

/** Identifies the subscriber among those of all organizations. */
export function tokenSubjectId({ organizationId, subscriberId }: TokenSubject): string {
  return `${organizationId} ${subscriberId}`
}

/** 401 when the token was revoked; otherwise the owner whose share its requests use. */
export async function assertTokenSubject(
  services: Services,
  { labels }: { labels: readonly Label[] },
  tokenSubject: TokenSubject,
): Promise<{ ownerId: string }> {
  consumeRateLimit(services, tokenSubject)
  const { database, lookups } = services
  const [living] = await lookups.ofOwner(tokenSubject.organizationId, () =>
    database.read((pool) => lookUpTokenSubjects(pool, [tokenSubject], labels)),
  )
  if (!living) throw hasEnded()
  if (living.isMoved) throw organizationIsMoving()
  return living
}
