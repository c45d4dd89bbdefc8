import type { Environment } from '../../generated/session.ts'
import { StateBadge } from './state-badge.tsx'

/** What an organization is for, in a word; the colour only repeats it. Nothing if that is not said. */
export function EnvironmentBadge({ environment }: { environment: Environment | null | undefined }) {
  if (!environment) return null
  return environment === 'LIVE' ? <StateBadge tone="good">live</StateBadge> : <StateBadge tone="warn">test</StateBadge>
}
