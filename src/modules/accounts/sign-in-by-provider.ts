import { addExternalAccount } from '../../access/external-account.ts'
import type { IdentityServices } from '../../access/identity-services.ts'
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

type SignInServices = { database: Database; identity: IdentityServices; queue: FairQueue; limits: Limits }

/**
 * Signs in a person whom the identity provider has just identified; returns the browser's cookie. `replaced` contains the
 * hashes of the tokens of the browser's earlier sessions.
 */
export async function signInByProvider(
  { database, identity, queue, limits }: SignInServices,
  { identity: externalIdentity, issuedAt, groups }: OidcPerson,
  { origin, replaced }: { origin: Origin; replaced: readonly Buffer[] },
): Promise<{ userId: string; cookie: Cookie }> {
  const { prisma } = database
  const unknownId = identity.unknownId(externalIdentity)
  // Runs in the person's queue, because it may have to wait for the lock of an organization.
  return queue.run({ owner: unknownId, part: unknownId }, async () => {
    const signedIn = await prisma.$transaction(
      (tx) => openAccount(tx, { identity: externalIdentity, issuedAt }, unknownId),
      transactionLimits,
    )
    // Apply groups before the session begins, so that nobody acts with a role that their groups no longer give.
    if (groups) {
      await applyGroups({ prisma, signedIn, groups, organizations: limits.groupOrganizations, origin })
    }
    await endReplacedSessions(database, replaced)
    const { cookie } = await openUserSession(database, signedIn, origin, 'provider')
    return { userId: signedIn.userId, cookie }
  })
}

/** Loads the person's account, or creates it at the first sign-in. */
async function openAccount(
  tx: Transaction,
  { identity, issuedAt }: Pick<OidcPerson, 'identity' | 'issuedAt'>,
  unknownId: string,
): Promise<SignedIn> {
  const { issuer, subject, email } = identity
  const [clock] = await tx.$queryRaw<{ now: Date }[]>`select clock_timestamp() as now`
  const { now } = clock as { now: Date }
  const ended = await tx.endedIdentity.findUnique({ where: { issuer_subject: { issuer, subject } } })
  // The times in tokens are whole seconds, so a token that was issued just after the deletion may seem to be older than it.
  if (ended && (issuedAt === null || issuedAt <= ended.endedAt)) {
    throw unauthorized('The account was deleted after the identity provider signed you in. Sign in again.')
  }
  const account = await addExternalAccount(tx, identity, { unknownId, now })
  if (email !== null && email !== account.email) {
    await tx.userAccount.update({ where: { id: account.id }, data: { email }, select: { id: true } })
  }
  return { userId: account.id, tokenGeneration: account.tokenGeneration, now }
}
