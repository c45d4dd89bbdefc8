import { Text } from '@mantine/core'
import { shortenMiddle } from '../../../components/text/shorten.ts'

type Props = { planId: string; plan: { name: string; archivedAt: string | null } | null }

/** A plan by its name, with its key on hover; archived ones are marked. */
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
