import { Moment } from '../../components/text/moment.tsx'

/** When a member last acted; a dash when the service does not know. */
export function LastSeen({ at }: { at: string | null }) {
  return at ? <Moment at={at} /> : '—'
}
