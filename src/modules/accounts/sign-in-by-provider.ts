import { addExternalAccount } from '../../access/external-account.ts'
import type { Identity } from '../../access/identity.ts'
import type { OidcPerson } from '../../access/oidc-provider.ts'
import { unauthorized } from '../../core/errors.ts'
import type { Database } from '../../database/client.ts'
import type { Transaction } from '../../database/transaction.ts'
import type { FairQueue } from '../../fairness/fair-queue.ts'
import type { Cookie } from '../../http/cookies.ts'
import type { Origin } from '../../http/origin.ts'
import type { Limits } from '../../operation/operation.ts'
import { transactionLimits } from '../../operation/write-budget.ts'
import { applyGroups } from '../group-roles/apply-groups.ts'
import type { SignedIn } from '../users/user.ts'
import { openUserSession } from './open-user-session.ts'
import { endReplacedSessions } from './user-session.ts'

type SignInServices = { database: Database; identity: Identity; queue: FairQueue; limits: Limits }

/**
 * Signs in someone whom the identity provider has just named; returns the browser's cookie. `replaced` are the sessions that
 * the browser had.
 */
export async function signInByProvider(
  { database, identity, queue, limits }: SignInServices,
  { identity: outside, issuedAt, groups }: OidcPerson,
  { origin, replaced }: { origin: Origin; replaced: readonly Buffer[] },
): Promise<{ userId: string; cookie: Cookie }> {
  const { prisma } = database
  const unknownId = identity.unknownId(outside)
  // Waits like a person's other writes: it may need the lock of an organization.
  return queue.run({ owner: unknownId, part: unknownId }, async () => {
    const signedIn = await prisma.$transaction(
      (tx) => openAccount(tx, { identity: outside, issuedAt }, unknownId),
      transactionLimits,
    )
    // Before the session begins, so that nobody acts with a role that their groups no longer give.
    if (groups) {
      await applyGroups({ prisma, signedIn, groups, organizations: limits.groupOrganizations, origin })
    }
    await endReplacedSessions(database, replaced)
    const { cookie } = await openUserSession(database, signedIn, origin, 'provider')
    return { userId: signedIn.userId, cookie }
  })
}

/** The person's account, which the first sign-in creates. */
async function openAccount(
  tx: Transaction,
  { identity, issuedAt }: Pick<OidcPerson, 'identity' | 'issuedAt'>,
  unknownId: string,
): Promise<SignedIn> {
  const { issuer, subject, email } = identity
  const [clock] = await tx.$queryRaw<{ now: Date }[]>`select clock_timestamp() as now`
  const { now } = clock as { now: Date }
  const ended = await tx.endedIdentity.findUnique({ where: { issuer_subject: { issuer, subject } } })
  // A token's time has whole seconds, so a token issued in the second of the deletion may look older than it.
  if (ended && (issuedAt === null || issuedAt <= ended.endedAt)) {
    throw unauthorized('The account was deleted after the identity provider signed you in. Sign in again.')
  }
  const account = await addExternalAccount(tx, identity, { unknownId, now })
  if (email !== null && email !== account.email) {
    await tx.userAccount.update({ where: { id: account.id }, data: { email }, select: { id: true } })
  }
  return { userId: account.id, tokenGeneration: account.tokenGeneration, now }
}
