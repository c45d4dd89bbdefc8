import { Button, Group, Text, Tooltip } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../api/typed-document.ts'
import { ConfirmDialog } from '../../components/feedback/confirm-dialog.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { toastDone } from '../../components/feedback/toast.tsx'
import { Section } from '../../components/page/section.tsx'
import { type Columns, DataTable } from '../../components/table/data-table.tsx'
import { TableSkeleton } from '../../components/table/table-skeleton.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { describeProgram } from '../../components/text/program.ts'
import { StateBadge } from '../../components/text/state-badge.tsx'
import {
  EndOtherSessionsDocument,
  EndSessionDocument,
  SessionsDocument,
  type SessionsQuery,
} from '../../generated/account.ts'
import { usePersonQuery, usePersonWrite } from '../../session/queries.ts'

type Session = Answer<SessionsQuery>['user']['sessions'][number]

const columns: Columns<Session> = [
  { title: 'Program', render: (session) => <Program session={session} /> },
  { title: 'Address', render: ({ ip }) => ip ?? 'unknown' },
  { title: 'Signed in', align: 'right', render: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: 'Last used', align: 'right', render: ({ lastUsedAt }) => <Moment at={lastUsedAt} /> },
]

/** The person's sessions, so that they can end one that they do not recognize. */
export function Sessions() {
  const query = usePersonQuery(SessionsDocument, {})
  const [ending, setEnding] = useState<Session | 'others' | null>(null)
  const sessions = query.data?.user.sessions ?? []
  return (
    <Section
      title="Sessions"
      description="Where you are signed in. Each session ends automatically after seven days."
      actions={
        sessions.some(({ current }) => !current) && (
          <Button variant="default" onClick={() => setEnding('others')}>
            End all others
          </Button>
        )
      }
    >
      <Loaded query={query} skeleton={<TableSkeleton rows={2} />}>
        {() => (
          <DataTable
            label="Sessions"
            rows={sessions}
            rowKey={({ id }) => id}
            columns={columns}
            actions={(session) =>
              session.current ? null : (
                <Button size="compact-sm" variant="default" onClick={() => setEnding(session)}>
                  End
                </Button>
              )
            }
          />
        )}
      </Loaded>
      {ending === 'others' && <EndOthersDialog onClose={() => setEnding(null)} />}
      {ending !== null && ending !== 'others' && <EndDialog session={ending} onClose={() => setEnding(null)} />}
    </Section>
  )
}

function Program({ session: { userAgent, current } }: { session: Session }) {
  return (
    <Group gap={8} wrap="nowrap">
      <Tooltip label={userAgent} disabled={userAgent === null} multiline maw={480}>
        <span data-hint>{describeProgram(userAgent)}</span>
      </Tooltip>
      {current && <StateBadge tone="good">this browser</StateBadge>}
    </Group>
  )
}

function EndDialog({ session, onClose }: { session: Session; onClose(): void }) {
  const write = usePersonWrite()
  const program = describeProgram(session.userAgent)

  async function confirm(): Promise<void> {
    await write(EndSessionDocument, { input: { id: session.id } })
    toastDone(`The session in ${program} has ended.`)
  }

  return (
    <ConfirmDialog opened title="End this session" action="End session" onConfirm={confirm} onClose={onClose}>
      <Text>
        {program}, signed in <Moment at={session.createdAt} />
        {session.ip && ` from ${session.ip}`}, is signed out at once, in every organization. If that was not you, change
        your password as well.
      </Text>
    </ConfirmDialog>
  )
}

function EndOthersDialog({ onClose }: { onClose(): void }) {
  const write = usePersonWrite()

  async function confirm(): Promise<void> {
    await write(EndOtherSessionsDocument, {})
    toastDone('All other sessions have ended.')
  }

  return (
    <ConfirmDialog opened title="End all other sessions" action="End all others" onConfirm={confirm} onClose={onClose}>
      <Text>
        You stay signed in here, and are signed out everywhere else at once. Personal tokens stay valid for up to an
        hour; changing your password ends them as well.
      </Text>
    </ConfirmDialog>
  )
}
