import { Button } from '@mantine/core'
import { useState } from 'react'
import { type Columns, DataTable } from '../../../components/table/data-table.tsx'
import { Moment } from '../../../components/text/moment.tsx'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import type { ApiKeyRowFragment } from '../../../generated/team.ts'
import { useMay } from '../../../session/viewer.ts'
import { KeyEnd, KeyNetworks } from './key-limits.tsx'
import { RevokeKeyDialog } from './revoke-key-dialog.tsx'

type Key = ApiKeyRowFragment

const columns: Columns<Key> = [
  { title: 'Name', render: ({ name }) => shortenMiddle(name, 60) },
  { title: 'Begins with', render: ({ keyPrefix }) => <code>{keyPrefix}…</code> },
  { title: 'Made', align: 'right', render: ({ createdAt }) => <Moment at={createdAt} /> },
  {
    title: 'Last used',
    align: 'right',
    render: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} /> : 'never'),
  },
  { title: 'Expires', align: 'right', render: (key) => <KeyEnd apiKey={key} /> },
  { title: 'May be used from', render: (key) => <KeyNetworks apiKey={key} /> },
]

export function KeyTable({ keys, serviceAccountId }: { keys: readonly Key[]; serviceAccountId: string }) {
  const mayWrite = useMay('service-accounts:write')
  const [revoking, setRevoking] = useState<Key | null>(null)
  return (
    <>
      <DataTable
        label="Keys"
        rows={keys}
        rowKey={({ keyId }) => keyId}
        columns={columns}
        {...(mayWrite && {
          actions: (key: Key) => (
            <Button size="compact-sm" variant="default" onClick={() => setRevoking(key)}>
              Revoke
            </Button>
          ),
        })}
      />
      {revoking && (
        <RevokeKeyDialog apiKey={revoking} serviceAccountId={serviceAccountId} onClose={() => setRevoking(null)} />
      )}
    </>
  )
}
