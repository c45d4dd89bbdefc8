import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useOrganizationId } from '../../session/organization-id.ts'
import { useViewer } from '../../session/viewer.ts'
import { type Group, toEntry } from './entry.ts'
import { findPlaces, isMeant, placesFor } from './places.ts'
import { objectOf, readRecent } from './recent.ts'
import { useHits } from './use-hits.ts'

/** What the search lists for a text; with none, what was opened lately, the pages and the actions. */
export function useGroups(text: string, isUrgent: boolean) {
  const organizationId = useOrganizationId()
  const labels = useViewer()?.labels
  const { hits, isCurrent, error } = useHits(text, isUrgent)
  const places = useMemo(() => placesFor(organizationId, labels ?? []), [organizationId, labels])
  const recent = useMemo(() => readRecent(organizationId), [organizationId])
  const here = objectOf(useParams({ strict: false }))

  const groups: Group[] = []
  if (text.trim() === '') {
    const elsewhere = recent.filter(({ type, id }) => type !== here?.type || id !== here.id)
    groups.push({ title: 'Lately opened', entries: elsewhere.map((hit) => toEntry(hit, organizationId)) })
    groups.push({ title: 'Pages', entries: places.filter(({ kind }) => kind === 'page') })
    groups.push({ title: 'Actions', entries: places.filter(({ kind }) => kind === 'action') })
  } else {
    const found = findPlaces(places, text)
    groups.push({ title: 'Go to', entries: found.filter((place) => isMeant(place, text)) })
    groups.push({ title: 'Found', entries: hits.map((hit) => toEntry(hit, organizationId)) })
    groups.push({ title: 'Pages and actions', entries: found.filter((place) => !isMeant(place, text)) })
  }
  return { groups: groups.filter(({ entries }) => entries.length > 0), hits, isCurrent, error }
}
