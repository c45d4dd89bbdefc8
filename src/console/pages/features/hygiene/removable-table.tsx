import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ApiFold } from '../../../components/api/api-fold.tsx'
import { toastFailed } from '../../../components/feedback/toast.tsx'
import { type Column, DataTable } from '../../../components/table/data-table.tsx'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { useMay } from '../../../session/viewer.ts'
import { removeOverrideExample } from '../api-examples.ts'
import type { Override } from '../overrides/override-row.ts'
import { useRemoveOverride } from './use-remove-override.ts'

type Props<Row extends Override> = {
  label: string
  rows: readonly Row[]
  columns: readonly [Column<Row>, ...Column<Row>[]]
}

/** Overrides with links to their subscribers; each can be removed by those who may. */
export function RemovableTable<Row extends Override>({ label, rows, columns }: Props<Row>) {
  const organizationId = useOrganizationId()
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
          params: { organizationId, subscriberId },
        })}
        {...(mayRemove && {
          actions: (override: Row) => <RemoveButton override={override} />,
        })}
      />
      {mayRemove && first && (
        <ApiFold
          title="Use the API to remove the first of them"
          example={removeOverrideExample(first.subscriberId, first.feature)}
        />
      )}
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
