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

const pauseMs = 200

type AddressSearchProps = {
  label: string
  /** The text in the page's address. */
  value: string
  /** Called when typing pauses. */
  onSearch(text: string): void
}

/** A search on the server: the text goes into the page's address once typing pauses. */
export function AddressSearch({ label, value, onSearch }: AddressSearchProps) {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const send = useDebouncedCallback((next: string) => {
    sent.current = next
    onSearch(next)
  }, pauseMs)

  // A link or "back" changed the address.
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setText(value)
  }, [value])

  return (
    <SearchField
      label={label}
      value={text}
      onChange={(next) => {
        setText(next)
        send(next)
      }}
    />
  )
}
