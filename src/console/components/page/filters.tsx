import { Group, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { SearchIcon } from '../icons/actions.tsx'

/** The filters above a list, kept in the page's address. */
export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <Group gap="xs" mb="sm" role="search">
      {children}
    </Group>
  )
}

const typingPauseMs = 200

type AddressSearchProps = {
  label: string
  /** The text in the page's address. */
  value: string
  /** Called when typing pauses. */
  onSearch(text: string): void
}

/**
 * A search field that puts its text into the page's address when typing pauses. The field has its own copy of the text: the
 * address changes later, and if the field showed the text of the address, the cursor would jump to the end.
 */
export function AddressSearch({ label, value, onSearch }: AddressSearchProps) {
  const [text, setText] = useState(value)
  /** The text in the address, and the newer texts that will replace it. */
  const sentTexts = useRef([value])
  const send = useDebouncedCallback((next: string) => {
    sentTexts.current.push(next)
    onSearch(next)
  }, typingPauseMs)

  useEffect(() => {
    const at = sentTexts.current.lastIndexOf(value)
    sentTexts.current = at === -1 ? [value] : sentTexts.current.slice(at)
    // A link or "back" changed the address.
    if (at === -1) setText(value)
  }, [value])

  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        send(currentTarget.value)
      }}
      leftSection={<SearchIcon size={16} />}
      w={{ base: '100%', xs: 260 }}
    />
  )
}
