import { Button, Drawer, Menu } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ApiMenu, DeleteItem } from '../../../components/api/use-the-api.tsx'
import { PageHeader } from '../../../components/page/page-header.tsx'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import { useMay } from '../../../session/viewer.ts'
import { explainSubscriber } from '../api-examples.ts'
import { TryCheck } from '../check/try-check.tsx'
import { PlanChoice } from '../plan/plan-choice.tsx'
import { nameOf, type Subscriber } from '../subscriber.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import { DeleteSubscriberDialog } from './delete-subscriber-dialog.tsx'
import { RenameForm } from './rename-form.tsx'
import { TryToken } from './try-token.tsx'

type Props = {
  subscriber: Subscriber
  /** The link above the title, to the list of subscribers. */
  above: ReactNode
}

export function SubscriberHeader({ subscriber, above }: Props) {
  const { search, go } = useSubscriberSearch()
  const mayWrite = useMay('subscribers:write')
  const mayCheck = useMay('entitlements:read')
  const [isDeleting, setDeleting] = useState(false)
  const changePlan = subscriber.activeSubscription ? 'Change plan' : 'Choose a plan'
  const close = () => go({ open: undefined })
  const closePlan = () => go({ change: undefined, to: undefined })
  return (
    <>
      <PageHeader
        above={above}
        title={shortenMiddle(nameOf(subscriber), 80)}
        description="What this customer may use, and why."
        actions={
          <>
            {mayCheck && (
              <Button variant="default" onClick={() => go({ open: 'check' })}>
                Try a check
              </Button>
            )}
            <ApiMenu
              title="Explains what this subscriber has"
              example={explainSubscriber(subscriber.subscriberId)}
              opened={search.open === 'api'}
              onChange={(opened) => go({ open: opened ? 'api' : undefined })}
              items={
                mayWrite && (
                  <>
                    <Menu.Item onClick={() => go({ open: 'rename' })}>Rename</Menu.Item>
                    <DeleteItem onClick={() => setDeleting(true)} />
                  </>
                )
              }
            >
              <TryToken subscriberId={subscriber.subscriberId} />
            </ApiMenu>
            {mayWrite && <Button onClick={() => go({ change: true })}>{changePlan}</Button>}
          </>
        }
      />
      <Drawer opened={mayCheck && search.open === 'check'} onClose={close} title="Try a check">
        <TryCheck subscriberId={subscriber.subscriberId} />
      </Drawer>
      <Drawer opened={mayWrite && search.change === true} onClose={closePlan} title={changePlan} size="lg">
        <PlanChoice subscriber={subscriber} onClose={closePlan} />
      </Drawer>
      <Drawer opened={mayWrite && search.open === 'rename'} onClose={close} title="Rename subscriber">
        <RenameForm subscriber={subscriber} onClose={close} />
      </Drawer>
      <DeleteSubscriberDialog subscriber={subscriber} opened={isDeleting} onClose={() => setDeleting(false)} />
    </>
  )
}
