import { Drawer, Skeleton } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { DeliveryDocument } from '../../../generated/webhook.ts'
import { useOrganizationQuery } from '../../../session/queries.ts'
import { DeliveryDetails } from './delivery-details.tsx'

type Props = { url: string; isPaused: boolean }

const route = getRouteApi('/o/$organizationId/webhook')
const everyMs = 1500

/** The event that the address names. Refreshes itself: a test event's attempt is a moment away. */
export function DeliveryDrawer({ url, isPaused }: Props) {
  const { delivery: id } = route.useSearch()
  const navigate = route.useNavigate()
  const isOpen = id !== undefined
  const query = useOrganizationQuery(
    DeliveryDocument,
    { id: id ?? '' },
    { enabled: isOpen, ...(isOpen && { refetchInterval: everyMs }) },
  )
  return (
    <Drawer
      opened={isOpen}
      onClose={() => void navigate({ search: (old) => ({ ...old, delivery: undefined }) })}
      title="Delivery"
      size="lg"
    >
      <Loaded query={query} skeleton={<Skeleton height={240} />}>
        {({ webhookEvent }) => <DeliveryDetails delivery={webhookEvent} url={url} isPaused={isPaused} />}
      </Loaded>
    </Drawer>
  )
}
