import { Text } from '@mantine/core'
import type { Tally } from '../../../components/import/run-import.ts'
import { DataTable } from '../../../components/table/data-table.tsx'
import { KeyText } from '../../../components/text/key-text.tsx'
import type { AffectedSubscriber } from './bulk-change.ts'

const shownErrors = 100

/** The subscribers for whom the change is refused, with the reasons. */
export function RefusedSubscribers({
  tally: { errors, failed },
  reached,
}: {
  tally: Tally
  reached: readonly AffectedSubscriber[]
}) {
  if (errors.length === 0) return null
  return (
    <>
      <DataTable
        label="Refused"
        rows={errors.slice(0, shownErrors)}
        rowKey={({ line }) => String(line)}
        columns={[
          {
            title: 'Subscriber',
            render: ({ line, subscriberId }) => (
              <KeyText value={subscriberId ?? reached[line - 1]?.subscriberId ?? ''} />
            ),
          },
          { title: 'Why', render: ({ message }) => message },
        ]}
      />
      {failed > shownErrors && <Text c="dimmed">{`and ${failed - shownErrors} more`}</Text>}
    </>
  )
}
