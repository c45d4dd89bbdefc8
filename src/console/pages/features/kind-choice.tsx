import { Radio, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { KindBadge } from '../../components/text/kind-badge.tsx'
import type { FeatureKind } from '../../generated/features.ts'

const kinds: readonly (readonly [FeatureKind, string])[] = [
  ['FLAG', 'On or off, such as single sign-on.'],
  ['LIMIT', 'A number that may be unlimited, such as seats.'],
  ['CONFIG', 'A typed value, such as a region.'],
]

type Props = { value?: FeatureKind; onChange?: (kind: FeatureKind) => void; error?: ReactNode }

export function KindChoice({ value, onChange, error }: Props) {
  return (
    <Radio.Group
      label="Kind"
      description="It never changes."
      value={value ?? null}
      onChange={(kind) => onChange?.(kind as FeatureKind)}
      error={error}
    >
      <Stack gap="xs" mt="xs">
        {kinds.map(([kind, description]) => (
          <Radio key={kind} value={kind} label={<KindBadge kind={kind} />} description={description} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
