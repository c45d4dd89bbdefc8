import { Text } from '@mantine/core'
import { shortenMiddle } from '../../../components/text/shorten.ts'

type Props = { planId: string; plan: { name: string; archivedAt: string | null } | null }

/** Shows a plan's name, with its key on hover. Says if the plan is archived. */
export function PlanName({ planId, plan }: Props) {
  return (
    <span title={planId}>
      {shortenMiddle(plan?.name ?? planId, 32)}
      {plan?.archivedAt && (
        <Text span c="dimmed">
          {' '}
          archived
        </Text>
      )}
    </span>
  )
}
