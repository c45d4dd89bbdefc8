import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { FeaturesIcon } from '../../components/icons/navigation.tsx'
import { FeatureNamesDocument } from '../../generated/feature-names.ts'
import { SearchDocument } from '../../generated/search.ts'
import { useOrganizationId } from '../../session/organization-id.ts'
import { readOptions, useOrganizationQuery } from '../../session/queries.ts'
import { useMay, useViewer } from '../../session/viewer.ts'
import { useCommands } from './commands.ts'
import { destinationsFor, findDestinations, isClearMatch } from './destinations.ts'
import { type Entry, type Group, type Hit, toEntry } from './entry.ts'
import { findPairs, type Pair } from './features-of-subscriber.ts'
import { useGuides } from './guides.ts'
import { findHitInParams, readRecent } from './recent.ts'
import { toSearchQuery } from './to-search-query.ts'

/** The server returns at most this many hits. If it returns exactly this many, there may be more. */
export const maxHits = 12

const typingPauseMs = 120
const searchLabels = ['subscribers:read', 'features:read', 'plans:read', 'members:read']

type SearchHits = {
  /** The hits; they belong to an earlier text while `isCurrent` is false. */
  hits: readonly Hit[]
  /** Whether the hits belong to the current text. */
  isCurrent: boolean
  error: Error | null
}

/** The server's hits, requested when typing pauses, or at once if `isUrgent`. Answers to earlier texts are dropped. */
function useHits(text: string, isUrgent: boolean): SearchHits {
  const organizationId = useOrganizationId()
  const mayAsk = useViewer()?.labels.some((label) => searchLabels.includes(label)) ?? false
  const searchQuery = mayAsk ? toSearchQuery(text) : ''
  const askedText = useDebouncedText(searchQuery, isUrgent)
  const { data, error, isPlaceholderData } = useQuery({
    ...readOptions(organizationId, SearchDocument, { text: askedText, first: maxHits }),
    enabled: askedText !== '',
    placeholderData: keepPreviousData,
  })
  if (searchQuery === '') return { hits: [], isCurrent: true, error: null }
  const isAnswered = askedText === searchQuery && data !== undefined && !isPlaceholderData
  return { hits: data?.search.hits ?? [], isCurrent: isAnswered, error: askedText === searchQuery ? error : null }
}

/** The text as it was when typing last paused; the current text if `isUrgent`, or if it is empty. */
function useDebouncedText(text: string, isUrgent: boolean): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), typingPauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return isUrgent || text === '' ? text : paused
}

/**
 * The pairs of a subscriber and a feature that the text names. Reads the features' names only if the text has two words or
 * more, because one word cannot name both.
 */
function usePairs(text: string, hits: readonly Hit[]): { pairs: Pair[]; areCurrent: boolean } {
  const mayRead = [useMay('overrides:read'), useMay('features:read')].every(Boolean)
  const enabled = mayRead && /\s/.test(text.trim())
  const { data, error } = useOrganizationQuery(FeatureNamesDocument, {}, { enabled })
  const pairs = enabled && data?.features ? findPairs(text, hits, data.features) : []
  return { pairs, areCurrent: !enabled || data !== undefined || error !== null }
}

/** The groups that the search lists for a text; without a text, these are recent objects, pages, actions and help. */
export function useSearchGroups(text: string, isUrgent: boolean) {
  const organizationId = useOrganizationId()
  const labels = useViewer()?.labels
  const { hits, isCurrent, error } = useHits(text, isUrgent)
  const commands = useCommands(organizationId)
  const destinations = [
    ...useMemo(() => destinationsFor(organizationId, labels ?? []), [organizationId, labels]),
    ...commands,
  ]
  const recent = useMemo(() => readRecent(organizationId), [organizationId])
  const guides = useGuides(text)
  const { pairs, areCurrent } = usePairs(text, hits)
  const here = findHitInParams(useParams({ strict: false }))

  const groups: Group[] = []
  if (text.trim() === '') {
    const elsewhere = recent.filter(({ type, id }) => type !== here?.type || id !== here.id)
    groups.push({ title: 'Recently opened', entries: elsewhere.map((hit) => toEntry(hit, organizationId)) })
    groups.push({ title: 'Pages', entries: destinations.filter(({ kind }) => kind === 'page') })
    groups.push({ title: 'Actions', entries: destinations.filter(({ kind }) => kind === 'action') })
    groups.push({ title: 'Help', entries: destinations.filter(({ kind }) => kind === 'help') })
  } else {
    const found = findDestinations(destinations, text)
    groups.push({ title: 'Go to', entries: found.filter((destination) => isClearMatch(destination, text)) })
    groups.push({ title: 'Features of a subscriber', entries: pairs.map((pair) => pairToEntry(pair, organizationId)) })
    groups.push({ title: 'Found', entries: hits.map((hit) => toEntry(hit, organizationId)) })
    groups.push({
      title: 'Pages and actions',
      entries: found.filter((destination) => !isClearMatch(destination, text)),
    })
    groups.push({ title: 'Guides', entries: guides })
  }
  return { groups: groups.filter(({ entries }) => entries.length > 0), hits, isCurrent: isCurrent && areCurrent, error }
}

/** An entry that opens the subscriber's page with the details of the feature. */
function pairToEntry({ subscriber, feature }: Pair, organizationId: string): Entry {
  return {
    id: `PAIR ${subscriber.id} ${feature.key}`,
    name: `${subscriber.name || subscriber.id}: ${feature.name}`,
    code: subscriber.name ? subscriber.id : null,
    context: subscriber.context,
    kind: 'entitlement',
    Icon: FeaturesIcon,
    target: {
      to: '/o/$organizationId/subscribers/$subscriberId',
      params: { organizationId, subscriberId: subscriber.id },
      search: { feature: feature.key },
    },
  }
}
