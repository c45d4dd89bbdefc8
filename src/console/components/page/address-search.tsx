import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { SearchField } from './search-field.tsx'

const pauseMs = 200

type Props = {
  label: string
  /** What the page's address holds. */
  value: string
  /** Called when typing pauses. */
  onSearch(text: string): void
}

/** A search that the server answers: what is typed goes into the page's address once typing pauses. */
export function AddressSearch({ label, value, onSearch }: Props) {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const send = useDebouncedCallback((next: string) => {
    sent.current = next
    onSearch(next)
  }, pauseMs)

  // The address changed by a link or by "back".
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
