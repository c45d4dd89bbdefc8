import { liveSeconds } from '../../changes/publish-follower-counts.ts'
import { defineAnswer, fieldFrom } from '../../core/answer.ts'
import { countField, timeField } from '../../core/answer-fields.ts'
import { asScalar } from '../../core/field-type.ts'
import { defineInput } from '../../core/input.ts'
import { StoredJson } from '../../core/stored-json.ts'
import { defineRead } from '../../operation/operation.ts'
import { change } from './read-changes.ts'

type Followers = { count: number; body: string | null; handedOutAt: Date | null; delayMs: number | null }

export const followersAnswer = defineAnswer<Followers>(
  'Followers',
  'The clients that follow the changes, and the latest change that was sent to them.',
  {
    count: countField().describe('The number of open streams and waiting polls with a key, in all processes.'),
    last_change: fieldFrom(
      ({ body }: Followers) => (body === null ? null : new StoredJson(body)),
      asScalar('JSON', change)
        .nullable()
        .describe('The latest change that was sent to followers, in the same format as in `changes`.'),
    ),
    handed_out_at: timeField()
      .nullable()
      .describe('When the slowest process had sent the latest change to its followers.'),
    delay_ms: countField()
      .nullable()
      .describe('The time from storing the latest change to sending it to followers, in milliseconds.'),
  },
)

export const readFollowers = defineRead({
  name: 'followers',
  summary: 'Count the clients that follow the changes, and read the latest change that was sent to them.',
  about:
    'Each process counts its own followers every few seconds. The followers of a process that was killed are counted for up to 40 seconds more.',
  route: '/org/followers',
  service: 'api',
  labels: ['webhooks:read'],
  input: defineInput({}, { unknown: 'reject', term: 'query parameter' }),
  answer: followersAnswer,
  async run({ db, organizationId }): Promise<Followers> {
    const [row] = await db.$queryRaw<Followers[]>`
      select coalesce(sum(counted.followers) filter (
               where counted.told_at > clock_timestamp() - ${liveSeconds} * interval '1 second'), 0)::int as count,
             last.body, last."handedOutAt", last."delayMs"
        from (select) as one
        left join follower_count counted on counted.organization_id = ${organizationId}
        left join lateral (
             select change.body, max(handed.handed_out_at) as "handedOutAt",
                    greatest(round(extract(epoch from max(handed.handed_out_at) - change.written_at) * 1000), 0)::int as "delayMs"
               from follower_count handed
               join change on change.organization_id = handed.organization_id
                          and change.transaction_id = handed.transaction_id and change.change_id = handed.change_id
              where handed.organization_id = ${organizationId}
              group by change.organization_id, change.transaction_id, change.change_id
              order by change.change_id desc limit 1) last on true
       group by last.body, last."handedOutAt", last."delayMs"`
    return row as Followers
  },
})
