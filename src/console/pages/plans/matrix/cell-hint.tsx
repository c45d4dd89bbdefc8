import { Button, Group, Text } from '@mantine/core'
import { unlimited } from '../../../components/form/value-text.ts'
import type { Feature } from '../plan.ts'
import { hintOf } from './cell-text.ts'

type Props = { id: string; feature: Feature; problem: string | null; onChoose(text: string): void }

/** What may be typed into a cell or what is wrong with it, and what a phone's keyboard has no key for. */
export function CellHint({ id, feature, problem, onChoose }: Props) {
  return (
    <>
      <Text id={id} fz="0.75rem" c={problem ? 'var(--text-bad)' : 'dimmed'} role="status">
        {problem ?? hintOf(feature)}
      </Text>
      <Group gap={6} mt={6}>
        {feature.kind === 'LIMIT' && (
          <Button size="compact-xs" variant="default" tabIndex={-1} onClick={() => onChoose(unlimited)}>
            ∞ unlimited
          </Button>
        )}
        <Button size="compact-xs" variant="default" tabIndex={-1} onClick={() => onChoose('')}>
          Not granted
        </Button>
      </Group>
    </>
  )
}
