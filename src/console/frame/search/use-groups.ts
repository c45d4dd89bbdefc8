import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { SearchDocument } from '../../generated/search.ts'
import { useOrganizationId } from '../../session/organization-id.ts'
import { readOptions } from '../../session/queries.ts'
import { useViewer } from '../../session/viewer.ts'
import { type Group, type Hit, toEntry } from './entry.ts'
import { useGuides } from './guides.ts'
import { findPlaces, isMeant, placesFor } from './places.ts'
import { toQuestion } from './question.ts'
import { objectOf, readRecent } from './recent.ts'

/** The server returns at most this many; a full answer means that there may be more. */
export const mostHits = 12

const pauseMs = 120
const labels = ['subscribers:read', 'features:read', 'plans:read', 'members:read']

type Found = {
  /** For an earlier text while `isCurrent` is false. */
  hits: readonly Hit[]
  /** Whether the hits match the present text. */
  isCurrent: boolean
  error: Error | null
}

/** The server's hits, requested when typing pauses, or at once if `isUrgent`. Answers to earlier texts are dropped. */
function useHits(text: string, isUrgent: boolean): Found {
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

/** The search's list for a text; without a text, recent objects, pages and actions. */
export function useGroups(text: string, isUrgent: boolean) {
  const organizationId = useOrganizationId()
  const labels = useViewer()?.labels
  const { hits, isCurrent, error } = useHits(text, isUrgent)
  const places = useMemo(() => placesFor(organizationId, labels ?? []), [organizationId, labels])
  const recent = useMemo(() => readRecent(organizationId), [organizationId])
  const guides = useGuides(text)
  const here = objectOf(useParams({ strict: false }))

  const groups: Group[] = []
  if (text.trim() === '') {
    const elsewhere = recent.filter(({ type, id }) => type !== here?.type || id !== here.id)
    groups.push({ title: 'Recently opened', entries: elsewhere.map((hit) => toEntry(hit, organizationId)) })
    groups.push({ title: 'Pages', entries: places.filter(({ kind }) => kind === 'page') })
    groups.push({ title: 'Actions', entries: places.filter(({ kind }) => kind === 'action') })
    groups.push({ title: 'Help', entries: places.filter(({ kind }) => kind === 'help') })
  } else {
    const found = findPlaces(places, text)
    groups.push({ title: 'Go to', entries: found.filter((place) => isMeant(place, text)) })
    groups.push({ title: 'Found', entries: hits.map((hit) => toEntry(hit, organizationId)) })
    groups.push({ title: 'Pages and actions', entries: found.filter((place) => !isMeant(place, text)) })
    groups.push({ title: 'Guides', entries: guides })
  }
  return { groups: groups.filter(({ entries }) => entries.length > 0), hits, isCurrent, error }
}
