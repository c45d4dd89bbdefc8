import type { Environment } from '../../generated/session.ts'
import { StateBadge } from './state-badge.tsx'

/** The environment of an organization in a word; the color only repeats it. Renders nothing if it is not set. */
export function EnvironmentBadge({ environment }: { environment: Environment | null | undefined }) {
  if (!environment) return null
  return environment === 'LIVE' ? <StateBadge tone="good">live</StateBadge> : <StateBadge tone="warn">test</StateBadge>
}
