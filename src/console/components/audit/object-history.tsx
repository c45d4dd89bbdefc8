import { useMay } from '../../session/viewer.ts'
import { Section } from '../page/section.tsx'
import { HistoryLink } from './history-link.tsx'
import { HistoryList, type HistoryProps } from './history-list.tsx'

/** A section with the history of an object, for its page; nothing for those who may not read the audit log. */
export function ObjectHistory({ of, action }: HistoryProps) {
  if (!useMay('org:audit:read')) return null
  return (
    <Section title="History" description="Who changed it, newest first." actions={<HistoryLink of={of} />}>
      <HistoryList of={of} {...(action && { action })} />
    </Section>
  )
}
