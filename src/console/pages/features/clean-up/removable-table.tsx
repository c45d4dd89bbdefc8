import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ApiExampleFold } from '../../../components/api/api-example-fold.tsx'
import { useFollowUp } from '../../../components/delivery-status/use-follow-up.tsx'
import { toastDone, toastFailed } from '../../../components/feedback/toast.tsx'
import { type Columns, DataTable } from '../../../components/table/data-table.tsx'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { PutFeatureOverrideDocument, RemoveFeatureOverrideDocument } from '../../../generated/features.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'
import { removeOverrideExample } from '../api-examples.ts'
import type { Override } from '../feature.ts'

type Props<Row extends Override> = {
  label: string
  rows: readonly Row[]
  columns: Columns<Row>
}

/** Overrides with links to their subscribers. Roles that may remove overrides also get a button on each row. */
export function RemovableTable<Row extends Override>({ label, rows, columns }: Props<Row>) {
  const mayRemove = useMay('overrides:write')
  const [first] = rows
  return (
    <>
      <DataTable
        label={label}
        rows={rows}
        rowKey={({ id }) => id}
        columns={columns}
        to={({ subscriberId }) => ({
          to: '/o/$organizationId/subscribers/$subscriberId',
          params: { subscriberId },
        })}
        {...(mayRemove && {
          actions: (override: Row) => <RemoveButton override={override} />,
        })}
      />
      {mayRemove && first && <ApiExampleFold example={removeOverrideExample(first.subscriberId, first.feature)} />}
    </>
  )
}

function RemoveButton({ override }: { override: Override }) {
  const { mutate, isPending } = useMutation({ mutationFn: useRemoveOverride(), onError: toastFailed })
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={isPending}
      aria-label={`Remove the override of ${override.feature} for ${override.subscriberId}`}
      onClick={() => mutate(override)}
    >
      Remove
    </Button>
  )
}

/** Removes an override if it is unchanged since it was read; offers Undo. */
function useRemoveOverride() {
  const followUp = useFollowUp()
  const write = useOrganizationWrite()

  return async function remove(override: Override): Promise<void> {
    const { subscriberId, feature: featureKey, updatedAt: expectedUpdatedAt } = override
    const detail = await followUp(subscriberId)
    await write(RemoveFeatureOverrideDocument, { input: { subscriberId, featureKey, expectedUpdatedAt } })
    toastDone(
      `Override of ${featureKey} for ${shortenMiddle(subscriberId, 40)} was removed.`,
      () => write(PutFeatureOverrideDocument, { input: toPutInput(override) }),
      { detail, followUp: () => followUp(subscriberId) },
    )
  }
}

function toPutInput({
  subscriberId,
  feature: featureKey,
  kind,
  allowed,
  limit,
  value,
  startsAt,
  expiresAt,
  note,
}: Override) {
  const own = { FLAG: { allowed }, LIMIT: { limit }, CONFIG: { value } }[kind]
  return { subscriberId, featureKey, kind, ...own, startsAt, expiresAt, note, expectedUpdatedAt: null }
}
