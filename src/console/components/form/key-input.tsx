import { TextInput, type TextInputProps } from '@mantine/core'

const monospace = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }

/** For a key or an id, which programs compare. */
export function KeyInput(props: TextInputProps) {
  return <TextInput styles={monospace} spellCheck={false} {...props} />
}
