import { Tooltip } from '@mantine/core'
import { Moment } from '../../../components/text/moment.tsx'
import { StateBadge } from '../../../components/text/state-badge.tsx'
import { useNow } from '../../../components/text/use-now.ts'
import type { ApiKeyRowFragment } from '../../../generated/team.ts'

/** When the key ends, or that it has. */
export function KeyEnd({ apiKey: { expiresAt } }: { apiKey: ApiKeyRowFragment }) {
  const now = useNow()
  if (expiresAt === null) return 'never'
  if (new Date(expiresAt) > now) return <Moment at={expiresAt} />
  return (
    <span>
      <StateBadge tone="bad">expired</StateBadge> <Moment at={expiresAt} />
    </span>
  )
}

const shown = 2

/** The networks from which the key may be used: the first ones, and all of them on hover. */
export function KeyNetworks({ apiKey: { allowedNetworks } }: { apiKey: ApiKeyRowFragment }) {
  const networks = allowedNetworks ?? []
  if (networks.length === 0) return 'anywhere'
  const more = networks.length - shown
  return (
    <Tooltip label={networks.join(', ')} disabled={more <= 0} multiline maw={320}>
      <span>
        {networks.slice(0, shown).join(', ')}
        {more > 0 && ` and ${more} more`}
      </span>
    </Tooltip>
  )
}
