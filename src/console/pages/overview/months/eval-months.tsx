import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { saveFile } from '../../../components/export/save-file.ts'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { formatMonth } from '../../../components/text/calendar.ts'
import { formatNumber } from '../../../components/text/number.ts'
import { EvalMonthsDocument, type UsageOfMonthFragment } from '../../../generated/overview.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { EvalDays } from '../eval-days.tsx'
import { useToday } from '../reads.ts'
import { monthsBefore, toCsv } from './months.ts'

/** The evals of the last twelve months by day, also as a file. */
export function EvalMonths() {
  const today = useToday()
  const query = useOrganizationQuery(EvalMonthsDocument, monthsBefore(today))
  return (
    <Loaded query={query} skeleton={<Skeleton height={420} role="status" aria-label="Loading" />}>
      {(answer) => <Months months={Object.values(answer)} today={today} />}
    </Loaded>
  )
}

function Months({ months, today }: { months: readonly UsageOfMonthFragment[]; today: string }) {
  const shown = months.filter(({ used }) => used > 0)
  if (shown.length === 0) return <Text c="dimmed">No checks in the last twelve months.</Text>
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Text c="dimmed">The last twelve months, without those that had no checks.</Text>
        <Button variant="default" onClick={() => saveFile(`evals-${today}.csv`, toCsv(shown, today))}>
          Download as CSV
        </Button>
      </Group>
      {shown.map((usage) => (
        <Month key={usage.month} usage={usage} today={today} />
      ))}
    </Stack>
  )
}

function Month({ usage, today }: { usage: UsageOfMonthFragment; today: string }) {
  const name = `${formatMonth(usage.month)} ${usage.month.slice(0, 4)}`
  return (
    <section aria-label={name}>
      <Group justify="space-between" mb={4}>
        <Title order={3}>{name}</Title>
        <Text>{formatNumber(usage.used)}</Text>
      </Group>
      {/* The allotment of an earlier month is not known. */}
      <EvalDays usage={{ ...usage, allotment: null }} expected={[]} today={today} label={`Evals in ${name} by day`} />
    </section>
  )
}
