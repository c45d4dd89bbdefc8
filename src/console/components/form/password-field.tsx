import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useState } from 'react'

/** An input for a password, with a button that makes the typed text visible. */
export function PasswordField(props: PasswordInputProps) {
  const [isVisible, setVisible] = useState(false)
  return (
    <PasswordInput
      {...props}
      visible={isVisible}
      onVisibilityChange={setVisible}
      visibilityToggleButtonProps={{ 'aria-label': 'Show the password', 'aria-pressed': isVisible, tabIndex: 0 }}
    />
  )
}
