import { useMay } from '../../frame/viewer.ts'
import { Section } from '../page/section.tsx'
import { HistoryLink } from './history-link.tsx'
import { HistoryList } from './history-list.tsx'
import type { HistoryOf } from './history-of.ts'

/** A section with the history of an object, for its page; nothing for those who may not read the audit log. */
export function ObjectHistory({ of }: { of: HistoryOf }) {
  if (!useMay('org:audit:read')) return null
  return (
    <Section title="History" description="Who changed it, newest first." actions={<HistoryLink of={of} />}>
      <HistoryList of={of} />
    </Section>
  )
}
