import { Combobox, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { SearchIcon } from '../../components/icons/actions.tsx'
import { sortByPosition, sortPlans } from '../../components/order/by-position.ts'
import { shortenMiddle } from '../../components/text/shorten.ts'
import { MemberNamesDocument } from '../../generated/audit.ts'
import { AuditLogCatalogDocument, MembersSoughtDocument, SubscribersSoughtDocument } from '../../generated/audit-log.ts'
import { useOrganizationPages, useOrganizationQuery } from '../../session/queries.ts'
import { findMembers, type KnownObjects, maxPerGroup, type Suggestion, suggest } from './suggestions.ts'

const route = getRouteApi('/o/$organizationId/audit-log')
const label = 'Filter by person, plan, feature, subscriber, action or request id'

/** One input for all filters: it suggests filters for the typed text, and Enter chooses the first suggestion. */
export function AddFilter() {
  const [text, setText] = useState('')
  const navigate = route.useNavigate()
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const suggestions = suggest(text, useKnownObjects(text))

  function choose(index: string): void {
    const chosen = suggestions[Number(index)]
    if (!chosen) return
    setText('')
    combobox.closeDropdown()
    void navigate({ search: (old) => ({ ...old, ...chosen.search }) })
  }

  return (
    <Combobox store={combobox} onOptionSubmit={choose} shadow="md">
      <Combobox.Target>
        <TextInput
          aria-label={label}
          placeholder="Filter by person, object, action…"
          leftSection={<SearchIcon size={16} />}
          w={{ base: '100%', md: 460 }}
          value={text}
          onFocus={() => combobox.openDropdown()}
          onClick={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          onChange={(event) => {
            setText(event.currentTarget.value)
            combobox.openDropdown()
            combobox.selectFirstOption()
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options mah={320} style={{ overflowY: 'auto' }} aria-label="Filters">
          <Options suggestions={suggestions} />
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

function Options({ suggestions }: { suggestions: readonly Suggestion[] }) {
  if (suggestions.length === 0) return <Combobox.Empty>No filter matches.</Combobox.Empty>
  const groups = Map.groupBy(
    suggestions.map((suggestion, index) => ({ ...suggestion, index })),
    ({ group }) => group,
  )
  return [...groups].map(([group, options]) => (
    <Combobox.Group key={group} label={group}>
      {options.map(({ text, index }) => (
        <Combobox.Option key={index} value={String(index)}>
          {shortenMiddle(text, 60)}
        </Combobox.Option>
      ))}
    </Combobox.Group>
  ))
}

/** Long enough that typing a word without a pause causes only one search. */
const searchAfterMs = 150
const maxSubscribers = 3

function useKnownObjects(text: string): KnownObjects {
  const [sought] = useDebouncedValue(text.trim(), searchAfterMs)
  const catalog = useOrganizationQuery(AuditLogCatalogDocument, {}).data
  const subscribers = useOrganizationQuery(
    SubscribersSoughtDocument,
    { text: sought },
    { enabled: sought !== '', keepPrevious: true },
  ).data?.search.hits.filter(({ type }) => type === 'SUBSCRIBER')
  return {
    members: useKnownMembers(sought),
    features: sortByPosition(catalog?.features ?? []),
    plans: sortPlans(catalog?.plans ?? []),
    subscribers: (sought !== '' && subscribers?.slice(0, maxSubscribers)) || [],
  }
}

/** The first hundred members. If they do not have enough members for the text, reads further pages until there are enough. */
function useKnownMembers(sought: string): KnownObjects['members'] {
  const first = useOrganizationQuery(MemberNamesDocument, {}).data?.members
  const isLong = first?.pageInfo.hasNextPage === true
  const pages = useOrganizationPages(MembersSoughtDocument, {}, ({ members }) => members, {
    enabled: isLong && sought !== '',
  })
  const members = pages.nodes.length > 0 ? pages.nodes : (first?.nodes ?? [])
  const isShort = sought !== '' && findMembers(members, sought).length < maxPerGroup
  const { hasMore, isLoadingMore, loadMore } = pages
  useEffect(() => {
    if (isShort && hasMore && !isLoadingMore && !pages.query.error) loadMore()
  })
  return members
}
