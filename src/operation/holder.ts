import { lookUpHolders } from '../access/look-up-holders.ts'
import { beingMoved } from '../access/moving.ts'
import type { Label } from '../access/roles.ts'
import { hasEnded, type TokenHolder } from '../access/subscriber-token.ts'
import type { Services } from './services.ts'

/** More than the evals, polls and streams that a subscriber's tokens may have: what goes beyond is refused without the database. */
const turnsPerSecond = 20

/** Called before the database is asked for anything: 429 for a subscriber whose tokens ask for much too much in this process. */
export function takeTurn({ rateLimiter }: Services, holder: TokenHolder): void {
  rateLimiter.take('by token', holderId(holder), turnsPerSecond)
}

/** Names the subscriber among those of all organizations. */
export function holderId({ organizationId, subscriberId }: TokenHolder): string {
  return `${organizationId} ${subscriberId}`
}

/** 401 when the token has ended before its time; otherwise the owner in whose share its requests run. */
export async function assertHolder(
  services: Services,
  { labels }: { labels: readonly Label[] },
  holder: TokenHolder,
): Promise<{ ownerId: string }> {
  takeTurn(services, holder)
  const { database, lookups } = services
  const [living] = await lookups.ofOwner(holder.organizationId, () =>
    database.read((pool) => lookUpHolders(pool, [holder], labels)),
  )
  if (!living) throw hasEnded()
  if (living.isMoved) throw beingMoved()
  return living
}
