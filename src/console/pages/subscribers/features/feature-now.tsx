import { Group, Text } from '@mantine/core'
import {
  type Delivery,
  describeDelivery,
  isUndelivered,
  timeOfState,
  useDeliveries,
} from '../../../components/delivery-status/use-delivery.ts'
import { WarningIcon } from '../../../components/icons/actions.tsx'
import { CopyButton } from '../../../components/text/copy-button.tsx'
import { KeyText } from '../../../components/text/key-text.tsx'
import { KindBadge } from '../../../components/text/kind-badge.tsx'
import { Moment } from '../../../components/text/moment.tsx'
import type { Loss } from '../history/losses.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import type { ExplainedFeature } from './explained.ts'
import classes from './feature-now.module.css'
import { ShownValue } from './shown-value.tsx'
import { Why } from './why.tsx'
import { toCustomerSentence } from './wording.ts'

type Props = { feature: ExplainedFeature; planName: string | null; loss: Loss | undefined }

/** Shows the feature's value and its reason, a JSON value in full, and a sentence for the customer. */
export function FeatureNow({ feature, planName, loss }: Props) {
  const { key, kind, valueType, name, description, entitlement, scheduled } = feature
  const { subscriberId, search } = useSubscriberSearch()
  const { deliveries } = useDeliveries(subscriberId, { enabled: search.at === undefined })
  const undelivered = deliveries.filter(isUndelivered)
  const sentence = toCustomerSentence(name, entitlement, {
    ended: loss?.cause === 'EXPIRY' ? loss.at : null,
    starts: scheduled && scheduled.allowed !== false ? scheduled.startsAt : null,
    isUndelivered: undelivered.length > 0,
  })
  return (
    <div className={classes.now}>
      <Group gap="md" c="dimmed">
        <KeyText value={key} copy="key" max={28} />
        <KindBadge kind={kind} detail={valueType?.toLowerCase() ?? null} />
      </Group>
      {description && <Text c="dimmed">{description}</Text>}
      <div className={classes.answer}>
        <ShownValue entitlement={entitlement} />
        <Why feature={feature} planName={planName} loss={loss} />
      </div>
      {isNested(entitlement.value) && <pre className={classes.json}>{JSON.stringify(entitlement.value, null, 2)}</pre>}
      {undelivered.map((delivery) => (
        <UndeliveredNotice key={delivery.change} delivery={delivery} />
      ))}
      <div className={classes.sentence}>
        <Text fz="0.75rem" c="dimmed">
          What to tell the customer
        </Text>
        <Group gap={4} wrap="nowrap" justify="space-between">
          <Text>{sentence}</Text>
          <CopyButton value={sentence} what="sentence for the customer" />
        </Group>
      </div>
    </div>
  )
}

function UndeliveredNotice({ delivery }: { delivery: Delivery }) {
  const at = timeOfState(delivery)
  return (
    <p className={classes.undelivered}>
      <WarningIcon size={16} />
      <span>
        {describeDelivery(delivery)}
        {at && (
          <>
            {' '}
            ({delivery.state === 'PAUSED' ? 'since' : 'due'} <Moment at={at} />)
          </>
        )}
        .
      </span>
    </p>
  )
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
