import { VisuallyHidden } from '@mantine/core'
import { formatNumber } from '../text/number.ts'

type Props = {
  /** The number of rows that the filter leaves; null without a filter, and until the rows are read. */
  found: number | null
  hasMore?: boolean
  noun: string
}

/** Tells screen readers how many rows a filter leaves, because the list changes elsewhere on the page. */
export function FoundRows(props: Props) {
  return <VisuallyHidden role="status">{describeFound(props)}</VisuallyHidden>
}

/** "1 entry matches.", "50 or more entries match." */
function describeFound({ found, hasMore = false, noun }: Props): string {
  const nouns = `${noun}s`.replace(/ys$/, 'ies')
  if (found === null) return ''
  if (found === 0) return 'Nothing matches the filter.'
  if (hasMore) return `${formatNumber(found)} or more ${nouns} match.`
  return found === 1 ? `1 ${noun} matches.` : `${formatNumber(found)} ${nouns} match.`
}
