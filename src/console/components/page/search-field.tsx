import { TextInput } from '@mantine/core'
import { SearchIcon } from '../icons/actions.tsx'

type Props = { label: string; value: string; onChange(value: string): void }

export function SearchField({ label, value, onChange }: Props) {
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      leftSection={<SearchIcon size={16} />}
      w={{ base: '100%', xs: 260 }}
    />
  )
}
