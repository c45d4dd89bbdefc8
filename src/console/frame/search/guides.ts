import { useQuery } from '@tanstack/react-query'
import { InfoIcon } from '../../components/icons/actions.tsx'
import type { Entry } from './entry.ts'
import { hasWords } from './has-words.ts'

/** A page of the guides, or a section of one. */
type Title = { page: string; heading: string; url: string }

const mostGuides = 5

/** The sections of the guides and of the API's reference whose titles have all words of the text. */
export function useGuides(text: string): Entry[] {
  const { data } = useQuery({
    queryKey: ['guides'],
    queryFn: readTitles,
    // A line that only sometimes finds something: an error of its own would be in the way.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: text.trim().length > 2,
  })
  if (!data || text.trim().length <= 2) return []
  return findTitles(data, text).map(toEntry)
}

async function readTitles(): Promise<Title[]> {
  const answer = await fetch('/docs/assets/titles.json')
  return answer.ok ? answer.json() : []
}

/** Pages first, then sections. */
export function findTitles(titles: readonly Title[], text: string): Title[] {
  return titles
    .filter(({ page, heading }) => hasWords(`${heading} ${page}`, text))
    .toSorted((one, other) => Number(one.heading !== '') - Number(other.heading !== ''))
    .slice(0, mostGuides)
}

function toEntry({ page, heading, url }: Title): Entry {
  return {
    id: `guide ${url}`,
    name: heading || page,
    context: heading ? page : null,
    kind: 'guide',
    Icon: InfoIcon,
    href: url,
  }
}
