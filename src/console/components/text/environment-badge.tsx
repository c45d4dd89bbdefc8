import type { Environment } from '../../generated/session.ts'
import { StateBadge } from './state-badge.tsx'

/** Shows the environment of an organization as a word and a color. Renders nothing if the environment is not set. */
export function EnvironmentBadge({ environment }: { environment: Environment | null | undefined }) {
  if (!environment) return null
  return environment === 'LIVE' ? <StateBadge tone="good">live</StateBadge> : <StateBadge tone="warn">test</StateBadge>
}
