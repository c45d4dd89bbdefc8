import { z } from 'zod'
import { randomBase62 } from '../../access/token.ts'
import { defineAnswer, fieldFrom } from '../../core/answer.ts'
import { countField, textField, timeField, timeFields } from '../../core/answer-fields.ts'
import { notFound } from '../../core/errors.ts'
import { note } from '../../core/field-type.ts'
import type { Vault } from '../../core/vault.ts'
import type { Database } from '../../database/client.ts'
import { Prisma, type WebhookEndpoint } from '../../database/generated/client.ts'
import type { Queries } from '../../database/prisma.ts'
import type { Transaction } from '../../database/transaction.ts'
import { defineFields } from '../../database/written-fields.ts'
import { transactionLimits } from '../../operation/write-budget.ts'
import { webhookUrl } from './url.ts'

/*
 * | From   | Trigger                                          | To                                    |
 * | on     | disable                                          | paused                                |
 * | on     | the eighth event in a row ran out of attempts    | paused                                |
 * | paused | enable, put                                      | on; all queued events are due at once |
 * | any    | delete                                           | no endpoint; queued events are dropped |
 * While deliveries are paused, events are queued and nothing is sent. A 2xx or a resume sets the pause count to 0. A resume that
 * fails while very many events are queued may leave some of them due.
 */

/** The organization's endpoint, without its secret. */
export type Webhook = Omit<WebhookEndpoint, 'secret'>

/** `newSecret` is set if the endpoint was just created or its secret was just replaced. */
export type WebhookWithSecret = Webhook & { newSecret: string | null }

export const webhookFields = defineFields('WebhookEndpoint', {
  url: { input: webhookUrl(), answer: textField(1, 2048).describe('The address to which events are sent.') },
})

const fields = {
  secret_prefix: textField(12, 12).describe('The first 12 characters of the secret.'),
  disabled: z.boolean().describe('Whether deliveries are paused. Events are still queued.'),
  ...timeFields,
}

export const webhookAnswer = defineAnswer<Webhook>(
  'Webhook',
  'The address to which the events of the organization are sent.',
  {
    ...webhookFields.answer,
    ...fields,
  },
)

export const webhookWithSecretAnswer = defineAnswer<WebhookWithSecret>(
  'WebhookWithSecret',
  'The webhook, and its secret if the secret was just created.',
  {
    ...webhookFields.answer,
    secret: fieldFrom(
      'newSecret',
      note(
        textField(49, 49).optional().describe('The secret with which receivers verify signatures; shown only once.'),
        {
          isSecret: true,
        },
      ),
    ),
    ...fields,
  },
)

/** How many events in a row must run out of attempts before deliveries are paused. Contract: Delivery 4. */
export const exhaustedEventsToPause = 8

/** Why deliveries are paused, or how close they are to a pause. Only for GraphQL; REST has only the fields above. */
export const webhookPauseAnswer = defineAnswer<Webhook>('WebhookPause', 'Why deliveries are paused.', {
  disabled_at: timeField().nullable().describe('When deliveries were paused; null if they are not paused.'),
  disabled_by_failures: fieldFrom(
    ({ disabled, exhaustedInARow }: Webhook) => disabled && exhaustedInARow >= exhaustedEventsToPause,
    z
      .boolean()
      .describe(
        `Whether deliveries were paused because ${exhaustedEventsToPause} events in a row ran out of attempts, not by a person.`,
      ),
  ),
  exhausted_in_a_row: countField().describe(
    `The number of events in a row that ran out of attempts; at ${exhaustedEventsToPause}, deliveries are paused.`,
  ),
  failures_to_pause: fieldFrom(
    () => exhaustedEventsToPause,
    countField().describe('How many events in a row must run out of attempts before deliveries are paused.'),
  ),
})

export type NewSecret = { secret: string; sealed: Uint8Array<ArrayBuffer>; secretPrefix: string }

/** Creates a secret: `whsec_` and 43 random base62 characters (256 bits). It is stored encrypted, and shown only once. */
export function newSecret(vault: Vault, organizationId: string): NewSecret {
  const secret = `whsec_${randomBase62(43)}`
  return { secret, sealed: vault.encrypt('webhook-secret', organizationId, secret), secretPrefix: secret.slice(0, 12) }
}

export function webhookNotFound() {
  return notFound('webhook', null, 'No webhook is configured here. PUT /org/webhook with a url creates one.')
}

export async function loadWebhook(db: Queries, organizationId: string): Promise<Webhook> {
  const webhook = await db.webhookEndpoint.findUnique({ where: { organizationId } })
  if (!webhook) throw webhookNotFound()
  return webhook
}

/**
 * Locks the endpoint until the transaction ends; null if there is none. Every change to the endpoint or its queue locks the
 * endpoint first, then events. Writes that queue events do not wait for this lock.
 */
export async function lockWebhookIfExists(tx: Transaction, organizationId: string): Promise<Webhook | null> {
  await tx.$queryRaw`select 1 from webhook_endpoint where organization_id = ${organizationId} for no key update`
  return tx.webhookEndpoint.findUnique({ where: { organizationId } })
}

export async function lockWebhook(tx: Transaction, organizationId: string): Promise<Webhook> {
  const webhook = await lockWebhookIfExists(tx, organizationId)
  if (!webhook) throw webhookNotFound()
  return webhook
}

/** SQL: excludes tests, which are sent outside of the queue (decision 47). */
export const isNotTestEvent = Prisma.sql`type <> 'webhook.test'`

/** The columns that resuming a paused endpoint sets. */
export const resumedColumns = { disabled: false, disabledAt: null, exhaustedInARow: 0 }

/** The maximum number of events that a transaction makes due, so that it ends soon. */
const maxMadeDue = 2000

/**
 * Called before the transaction that resumes a paused endpoint: makes queued events due in transactions of their own, the
 * earliest first, until that transaction has few left to make due. Nothing is sent meanwhile, because deliveries are still
 * paused. If the resume fails, these events stay due, and the next resume continues. Does nothing if deliveries are not paused.
 */
export async function makeMostQueuedEventsDue({ prisma }: Database, organizationId: string): Promise<void> {
  let from: string | null = '-infinity'
  while (from !== null) {
    const after: string = from
    from = await prisma.$transaction(async (tx) => {
      const webhook = await lockWebhookIfExists(tx, organizationId)
      if (!webhook?.disabled || !(await hasMoreWaiting(tx, organizationId, after))) return null
      return makeDue(tx, organizationId, Prisma.sql`${after}::timestamptz`, maxMadeDue)
    }, transactionLimits)
  }
}

/**
 * Makes all queued events due now, in their present order: events that wait for a retry become due a microsecond apart, after
 * events that were already due. Earlier attempts still count. Contract: Delivery 6. The caller has locked the endpoint.
 */
export async function makeQueuedEventsDue(tx: Transaction, organizationId: string): Promise<void> {
  await makeDue(tx, organizationId, Prisma.sql`'-infinity'`, null)
}

function isWaiting(organizationId: string, from: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`organization_id = ${organizationId} and state = 'queued' and attempts > 0
    and due_at > statement_timestamp() and due_at >= ${from} and ${isNotTestEvent}`
}

/** Whether more events wait than a transaction may make due. */
async function hasMoreWaiting(tx: Transaction, organizationId: string, from: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    select 1 from webhook_event where ${isWaiting(organizationId, Prisma.sql`${from}::timestamptz`)}
     order by due_at, event_id offset ${maxMadeDue} limit 1`
  return rows.length > 0
}

/**
 * Makes the earliest `limit` events due that wait for a retry from this time on; null makes all due. Returns the time for which
 * the last of them waited: the next batch begins there, because the index keeps the old times until older transactions end.
 */
async function makeDue(
  tx: Transaction,
  organizationId: string,
  from: Prisma.Sql,
  limit: number | null,
): Promise<string | null> {
  // Updates by the primary key alone: the condition of another index could make PostgreSQL compare every row with every id.
  const [batch] = await tx.$queryRaw<{ last: string | null }[]>`
    with waiting as materialized (
      select event_id, due_at from webhook_event where ${isWaiting(organizationId, from)}
       order by due_at, event_id limit ${limit}::int for update),
    ${numberedEvents(Prisma.sql`select event_id, row_number() over (order by due_at, event_id) as number from waiting`)},
    made_due as (
      update webhook_event set due_at = ${dueInNumberOrder}
       where organization_id = ${organizationId} and event_id = any(array(select jsonb_object_keys(numbers) from numbered)))
    select max(due_at)::text as last from waiting`
  return batch?.last ?? null
}

/**
 * SQL: the numbers of events as one JSON value. With a join, PostgreSQL would compare every row with every other row if its
 * statistics are older than the events: 10,000 events took more than five seconds.
 */
export function numberedEvents(rows: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`numbered as materialized (select jsonb_object_agg(event_id, number) as numbers from (${rows}) rows)`
}

export const isNumbered = Prisma.sql`(select numbers from numbered) ? event_id`

/** SQL: due times a microsecond apart, in the order of the numbers, because retries are sent by due time. */
export const dueInNumberOrder = Prisma.sql`statement_timestamp()
  + ((select numbers from numbered) ->> event_id)::int * interval '1 microsecond'`
