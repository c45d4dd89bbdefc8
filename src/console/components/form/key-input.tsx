import { TextInput, type TextInputProps } from '@mantine/core'

const monospace = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }

/** An input for a key or an id: monospaced, and without spell checking. */
export function KeyInput(props: TextInputProps) {
  return <TextInput styles={monospace} spellCheck={false} {...props} />
}
