import { EmptyList } from '../../components/feedback/empty-list.tsx'

export function NoFeatures({ onAdd }: { onAdd: (() => void) | null }) {
  return (
    <EmptyList title="No features yet" action="Add the first feature" onAdd={onAdd}>
      A feature is a flag that is on or off, a limit that counts, or a config value such as a region.
    </EmptyList>
  )
}
