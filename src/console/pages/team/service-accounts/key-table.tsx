import { Button, Text, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '../../../components/feedback/confirm-dialog.tsx'
import { toastDone } from '../../../components/feedback/toast.tsx'
import { type Columns, DataTable } from '../../../components/table/data-table.tsx'
import { Moment } from '../../../components/text/moment.tsx'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { StateBadge } from '../../../components/text/state-badge.tsx'
import { useNow } from '../../../components/text/use-now.ts'
import { type ApiKeyRowFragment, DeleteApiKeyDocument } from '../../../generated/team.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import { useMay } from '../../../session/viewer.ts'
import { revokeKeyExample } from '../api-examples.ts'

type Key = ApiKeyRowFragment

const columns: Columns<Key> = [
  { title: 'Name', render: ({ name }) => shortenMiddle(name, 60) },
  { title: 'Begins with', render: ({ keyPrefix }) => <code>{keyPrefix}…</code> },
  { title: 'Created', align: 'right', render: ({ createdAt }) => <Moment at={createdAt} /> },
  {
    title: 'Last used',
    align: 'right',
    render: ({ lastUsedAt }) => (lastUsedAt ? <Moment at={lastUsedAt} /> : 'never'),
  },
  { title: 'Expires', align: 'right', render: (key) => <KeyExpiry apiKey={key} /> },
  {
    title: 'Allowed networks',
    render: (key) => <KeyNetworks apiKey={key} />,
    isUsual: ({ allowedNetworks }) => !allowedNetworks?.length,
  },
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

/** When the key expires, or that it has expired. */
function KeyExpiry({ apiKey: { expiresAt } }: { apiKey: ApiKeyRowFragment }) {
  const now = useNow()
  if (expiresAt === null) return 'never'
  if (new Date(expiresAt) > now) return <Moment at={expiresAt} />
  return (
    <span>
      <StateBadge tone="bad">expired</StateBadge> <Moment at={expiresAt} />
    </span>
  )
}

const shownNetworks = 2

/** The networks from which the key may be used: the first ones, and all of them on hover. */
function KeyNetworks({ apiKey: { allowedNetworks } }: { apiKey: ApiKeyRowFragment }) {
  const networks = allowedNetworks ?? []
  if (networks.length === 0) return 'anywhere'
  const more = networks.length - shownNetworks
  return (
    <Tooltip label={networks.join(', ')} disabled={more <= 0} multiline maw={320}>
      <span data-hint>
        {networks.slice(0, shownNetworks).join(', ')}
        {more > 0 && ` and ${more} more`}
      </span>
    </Tooltip>
  )
}

type Props = { apiKey: ApiKeyRowFragment; serviceAccountId: string; onClose(): void }

function RevokeKeyDialog({ apiKey, serviceAccountId, onClose }: Props) {
  const { keyId, keyPrefix, name, lastUsedAt } = apiKey
  const write = useOrganizationWrite()

  async function confirm(): Promise<void> {
    await write(DeleteApiKeyDocument, { input: { serviceAccountId, keyId } })
    toastDone(`Key ${keyPrefix}… was revoked.`)
  }

  return (
    <ConfirmDialog
      opened
      title={`Revoke the key ${name}`}
      action="Revoke key"
      example={revokeKeyExample(serviceAccountId, keyId)}
      confirmationText={keyPrefix}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text>
        Once it is revoked, programs that use it are refused. It was{' '}
        {lastUsedAt ? (
          <>
            last used <Moment at={lastUsedAt} />.
          </>
        ) : (
          'never used.'
        )}
      </Text>
    </ConfirmDialog>
  )
}
