import { useQuery } from '@tanstack/react-query'
import { InfoIcon } from '../../components/icons/actions.tsx'
import type { Entry } from './entry.ts'
import { findTitles, type Title } from './titles.ts'

/** The sections of the guides and of the API's reference whose titles have all words of the text. */
export function useGuides(text: string): Entry[] {
  const { data } = useQuery({
    queryKey: ['guides'],
    queryFn: readTitles,
    // Guides are a minor part of the search: a failed read must not show an error.
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
