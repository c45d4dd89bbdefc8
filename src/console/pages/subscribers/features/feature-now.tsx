import { Group, Text } from '@mantine/core'
import { CopyButton } from '../../../components/text/copy-button.tsx'
import { KeyText } from '../../../components/text/key-text.tsx'
import { KindBadge } from '../../../components/text/kind-badge.tsx'
import type { Loss } from '../history/changes.ts'
import type { ExplainedFeature } from './explained.ts'
import classes from './feature-now.module.css'
import { ShownValue } from './shown-value.tsx'
import { Why } from './why.tsx'
import { sayToCustomer } from './wording.ts'

type Props = { feature: ExplainedFeature; plan: string | null; loss: Loss | undefined }

/** Value and reason, a JSON value in full, and the sentence for the customer. */
export function FeatureNow({ feature, plan, loss }: Props) {
  const { key, kind, valueType, name, description, entitlement } = feature
  const sentence = sayToCustomer(name, entitlement, loss?.cause === 'EXPIRY' ? loss.at : null)
  return (
    <div className={classes.now}>
      <Group gap="md" c="dimmed">
        <KeyText value={key} copy="key" max={28} />
        <KindBadge kind={kind} detail={valueType?.toLowerCase() ?? null} />
      </Group>
      {description && <Text c="dimmed">{description}</Text>}
      <div className={classes.answer}>
        <ShownValue entitlement={entitlement} />
        <Why feature={feature} plan={plan} loss={loss} />
      </div>
      {isNested(entitlement.value) && <pre className={classes.json}>{JSON.stringify(entitlement.value, null, 2)}</pre>}
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

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
