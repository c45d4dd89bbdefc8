import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { SearchDocument } from '../../generated/search.ts'
import { useOrganizationId } from '../../session/organization-id.ts'
import { readOptions } from '../../session/queries.ts'
import { useViewer } from '../../session/viewer.ts'
import type { Hit } from './entry.ts'
import { toQuestion } from './question.ts'

/** The server is asked for no more; so many mean that there may be others. */
export const mostHits = 12

const pauseMs = 120
const labels = ['subscribers:read', 'features:read', 'plans:read', 'members:read']

type Found = {
  /** Of an earlier text while `isCurrent` is false. */
  hits: readonly Hit[]
  /** Whether the hits answer what stands in the field now. */
  isCurrent: boolean
  error: Error | null
}

/** What the server finds, asked when typing pauses, or at once if `isUrgent`. Answers to earlier texts are dropped. */
export function useHits(text: string, isUrgent: boolean): Found {
  const organizationId = useOrganizationId()
  const mayAsk = useViewer()?.labels.some((label) => labels.includes(label)) ?? false
  const question = mayAsk ? toQuestion(text) : ''
  const asked = usePaused(question, isUrgent)
  const { data, error, isPlaceholderData } = useQuery({
    ...readOptions(organizationId, SearchDocument, { text: asked, first: mostHits }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  })
  if (question === '') return { hits: [], isCurrent: true, error: null }
  const isAnswered = asked === question && data !== undefined && !isPlaceholderData
  return { hits: data?.search.hits ?? [], isCurrent: isAnswered, error: asked === question ? error : null }
}

/** The text once it has not changed for a moment. */
function usePaused(text: string, isUrgent: boolean): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return isUrgent || text === '' ? text : paused
}
