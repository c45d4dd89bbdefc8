import type { Actor, UserActor } from '../access/actor.ts'
import { hashApiKey } from '../access/api-key.ts'
import { newConsoleSession } from '../access/session.ts'
import { randomBase62 } from '../access/token.ts'
import { newId } from '../core/ids.ts'
import type { Database } from '../database/client.ts'
import type { Role } from '../database/generated/enums.ts'
import { signUp } from '../modules/accounts/sign-up.ts'
import { createInvite } from '../modules/invites/create-invite.ts'
import { updateMember } from '../modules/members/update-member.ts'
import { createOrganization } from '../modules/memberships/create-organization.ts'
import { joinOrganization } from '../modules/memberships/join-organization.ts'
import { createApiKey } from '../modules/service-accounts/create-api-key.ts'
import { createServiceAccount } from '../modules/service-accounts/create-service-account.ts'
import type { DemoCaller, RunOperation } from './operation-runner.ts'
import {
  type DemoAccount,
  type DemoPerson,
  emailDomain,
  organizationName,
  type PersonName,
  type ProgramName,
  people,
  programs,
} from './people.ts'

/** Everybody who acts in the demo, signed in. */
export type Team = {
  organizationId: string
  people: Record<PersonName, DemoCaller>
  programs: Record<ProgramName, DemoCaller>
  /** The people's accounts; shown at the end. */
  accounts: readonly DemoAccount[]
  /** The key of the product's backend, for evals; shown at the end. */
  evalKey: string
}

type Hiring = { act: RunOperation; database: Database; pass: (minutes: number) => Promise<void> }

const browser = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_2) AppleWebKit/537.36 Chrome/141.0 Safari/537.36'

/** Signs everybody up, creates the organization, invites the other people, and adds the programs' accounts. */
export async function hireTeam(hiring: Hiring): Promise<Team> {
  const { act, database, pass } = hiring
  const ada = await signUpPerson(hiring, people.ada)
  const founded = await act(ada.asking, createOrganization, { name: organizationName })
  const { organizationId } = founded
  const asMember = async (asking: DemoCaller, memberId: string, role: Role): Promise<DemoCaller> => ({
    ...asking,
    member: await openSession(database, asking.person as UserActor, { organizationId, memberId, role }),
  })
  const admin = await asMember(ada.asking, founded.memberId, 'admin')

  async function invite(person: DemoPerson, role: Role) {
    const { asking, account } = await signUpPerson(hiring, person)
    const { link } = await act(admin, createInvite, { role, email: account.email })
    await pass(14)
    const joined = await act(asking, joinOrganization, { invite: link?.split('#')[1] ?? '' })
    return { asking, account, memberId: joined.memberId }
  }
  const ben = await invite(people.ben, 'viewer')
  // Changes a role, so that the log contains such an entry.
  await pass(3)
  await act(admin, updateMember, { role: people.ben.role }, { member_id: ben.memberId })
  const chloe = await invite(people.chloe, people.chloe.role)
  const dmitri = await invite(people.dmitri, people.dmitri.role)

  const billing = await addProgram(act, admin, 'billing')
  const product = await addProgram(act, admin, 'product')
  const reporting = await addProgram(act, admin, 'reporting')
  return {
    organizationId,
    people: {
      ada: admin,
      ben: await asMember(ben.asking, ben.memberId, people.ben.role),
      chloe: await asMember(chloe.asking, chloe.memberId, people.chloe.role),
      dmitri: await asMember(dmitri.asking, dmitri.memberId, people.dmitri.role),
    },
    programs: { billing: billing.asking, product: product.asking, reporting: reporting.asking },
    accounts: [ada, ben, chloe, dmitri].map(({ account }) => account),
    evalKey: product.key,
  }
}

type SignedUp = { asking: DemoCaller; account: DemoAccount }

async function signUpPerson(
  { act, database, pass }: Hiring,
  { name, mailbox, role, ip }: DemoPerson,
): Promise<SignedUp> {
  await pass(11)
  const email = await findFreeEmail(database, mailbox)
  const password = randomBase62(20)
  const asking: DemoCaller = { ip, userAgent: browser }
  await act(asking, signUp, { email, password, display_name: name })
  const { id: userId, tokenGeneration } = await database.prisma.userAccount.findUniqueOrThrow({
    where: { emailKey: email },
  })
  const person: UserActor = {
    userId,
    tokenGeneration,
    authType: 'jwt',
    userSessionId: null,
    newIdentity: null,
    authenticatedAt: new Date(0),
  }
  return { asking: { ...asking, person }, account: { email, password, role } }
}

/** Never reuses an existing account: it belongs to an earlier demo, or to the person who signed up with it. */
async function findFreeEmail({ prisma }: Database, mailbox: string): Promise<string> {
  for (let count = 1; ; count++) {
    const email = `${mailbox}${count === 1 ? '' : count}@${emailDomain}`
    if ((await prisma.userAccount.count({ where: { emailKey: email } })) === 0) return email
  }
}

type Membership = { organizationId: string; memberId: string; role: Role }

/** Opens a console session, which `closeSessions` ends once the demo is filled. */
async function openSession({ prisma }: Database, { userId }: UserActor, membership: Membership): Promise<Actor> {
  const { organizationId, memberId, role } = membership
  const { prefix, hash } = newConsoleSession()
  const now = new Date(Date.now())
  await prisma.consoleSession.create({
    data: {
      organizationId,
      id: newId(),
      memberId,
      userId,
      hash: new Uint8Array(hash),
      prefix,
      createdAt: now,
      lastUsedAt: now,
      expiresAt: new Date(now.getTime() + 365 * 86_400_000),
    },
  })
  return {
    organizationId,
    ownerId: userId,
    memberId,
    role,
    authType: 'member_session',
    keyPrefix: prefix,
    isMoving: false,
    credentialHash: hash.toString('hex'),
    authenticatedAt: now,
  }
}

export async function closeSessions({ prisma }: Database, { organizationId }: Team): Promise<void> {
  await prisma.consoleSession.deleteMany({ where: { organizationId } })
}

async function addProgram(
  act: RunOperation,
  admin: DemoCaller,
  program: ProgramName,
): Promise<{ asking: DemoCaller; key: string }> {
  const { name, role, ip } = programs[program]
  const account = await act(admin, createServiceAccount, { name, role })
  const { key, prefix } = await act(admin, createApiKey, { name: 'Production' }, { service_account_id: account.id })
  const member: Actor = {
    organizationId: account.organizationId,
    ownerId: account.organizationId,
    memberId: account.memberId,
    role,
    authType: 'member_apikey',
    keyPrefix: prefix,
    isMoving: false,
    credentialHash: hashApiKey(key) as string,
    authenticatedAt: new Date(0),
  }
  return { asking: { ip, userAgent: `lumen-${program}/2.4`, member }, key }
}
