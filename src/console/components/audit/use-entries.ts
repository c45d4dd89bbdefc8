import { AuditEventsDocument, type AuditEventsQueryVariables } from '../../generated/audit.ts'
import { useOrganizationId } from '../../session/organization-id.ts'
import { type Pages, type ReadSettings, useOrganizationPages, useOrganizationQuery } from '../../session/queries.ts'
import type { AuditEntry } from './describe-entry.ts'
import { readNames, useMemberNames } from './use-names.ts'

/*
 * Reads entries of the log together with the names in their sentences: a name that arrived after its line was shown would
 * move the lines below it.
 */

type Filter = Omit<AuditEventsQueryVariables, 'after'>

export function useEntryPages(variables: Filter): Pages<AuditEntry> {
  const complete = useNameLoader()
  return useOrganizationPages(AuditEventsDocument, variables, ({ auditEvents }) => auditEvents, {
    complete: ({ auditEvents }) => complete(auditEvents.nodes),
  })
}

export function useFirstEntries(variables: Filter, settings: Pick<ReadSettings<unknown>, 'refetchInterval'>) {
  const complete = useNameLoader()
  return useOrganizationQuery(AuditEventsDocument, variables, {
    ...settings,
    complete: ({ auditEvents }) => complete(auditEvents.nodes),
  })
}

/**
 * Returns a function that loads the names for the sentences of entries. The hook itself begins to load the names of members, so
 * that they are loaded at the same time as the entries.
 */
export function useNameLoader() {
  const organizationId = useOrganizationId()
  useMemberNames()
  return (entries: readonly AuditEntry[]) => readNames(organizationId, entries)
}
