import { Code, Group } from '@mantine/core'
import { toProperties } from '../../components/form/fields.tsx'
import { Properties } from '../../components/page/properties.tsx'
import { KeyText } from '../../components/text/key-text.tsx'
import { KindBadge } from '../../components/text/kind-badge.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { type Feature, featureFields } from './feature.ts'

export function FeatureDetails({ feature }: { feature: Feature }) {
  const { key, kind, valueType, options, createdAt, updatedAt } = feature
  return (
    <Properties
      items={[
        ['Key', <KeyText key="key" value={key} max={64} copy="key" />],
        ['Kind', <KindBadge key="kind" kind={kind} detail={valueType?.toLowerCase() ?? null} />],
        options !== null && ['Options', <Options key="options" options={options} />],
        ...toProperties(featureFields, feature),
        ['Created', <Moment key="created" at={createdAt} />],
        ['Changed', <Moment key="changed" at={updatedAt} />],
      ]}
    />
  )
}

function Options({ options }: { options: readonly string[] }) {
  return (
    <Group gap={6}>
      {options.map((option) => (
        <Code key={option}>{option}</Code>
      ))}
    </Group>
  )
}
