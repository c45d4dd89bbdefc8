import { Button } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'
import { AuditEventDocument } from '../../generated/audit.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { asChange, isObject, isTooLarge } from '../audit/details.ts'
import { isSameJson } from '../text/value.ts'

/** The value that a field had before a change. If `feature` is not null, it is the grant of that feature. */
export type FormerValue = { feature: string | null; field: string; from: unknown }

type ButtonProps = {
  /** How many changes the button reverts. */
  count?: number
  onDraft(): void
}

/** A button that opens a draft with the former values, and saves nothing. */
export function RevertButton({ count = 1, onDraft }: ButtonProps) {
  return (
    <Button size="compact-sm" variant="default" onClick={onDraft}>
      {count === 1 ? 'Revert' : `Revert ${count} changes`}
    </Button>
  )
}

/** The former values that differ from the form's current ones. */
export function findDifferingFields(current: Readonly<Record<string, unknown>>, former: readonly FormerValue[]) {
  const differing = former
    .filter(({ feature, field, from }) => feature === null && Object.hasOwn(current, field) && !isTooLarge(from))
    .map(({ field, from }) => [field, from ?? ''] as const)
    .filter(([field, value]) => !isSameJson(value, current[field]))
  return new Map(differing)
}

/** Reads the values before a change from the `details` of its audit entry. */
function toFormerValues(details: unknown): FormerValue[] {
  if (!isObject(details)) return []
  const { grants, ...fields } = details
  const own = Object.entries(fields).map(([field, recorded]) => ({ feature: null, field, recorded }))
  const granted = Object.entries(isObject(grants) ? grants : {})
  return [...own, ...granted.map(([feature, recorded]) => ({ feature, field: 'grant', recorded }))].flatMap(
    ({ recorded, ...what }) => {
      const change = asChange(recorded)
      return change ? [{ ...what, from: change.from }] : []
    },
  )
}

/** Loads an audit entry, whose id is in the page's address, and calls `revert` with the values before the change. */
export function useRevertOf(entryId: string | undefined, revert: (former: readonly FormerValue[]) => void): void {
  const { data } = useOrganizationQuery(AuditEventDocument, { id: entryId ?? '' }, { enabled: entryId !== undefined })
  const details = data?.auditEvent.details
  const onLoadedEntry = useEffectEvent(() => revert(toFormerValues(details)))
  useEffect(() => {
    if (details) onLoadedEntry()
  }, [details])
}
