import { StateBadge, type Tone } from '../../components/text/state-badge.tsx'
import type { Delivery } from './webhook.ts'

const tones: Record<Delivery['state'], Tone> = { QUEUED: 'neutral', DELIVERED: 'good', FAILED: 'bad' }

export function DeliveryState({ state }: Pick<Delivery, 'state'>) {
  return <StateBadge tone={tones[state]}>{state.toLowerCase()}</StateBadge>
}
