import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { theme } from './theme.ts'
import { resolveVariables } from './variables.ts'

/** Read by early.ts too, before the first paint. */
const colorSchemeManager = localStorageColorSchemeManager({ key: 'console:color-scheme' })

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''

// The library that keeps the page from scrolling behind a dialog looks for its nonce under this name.
Object.assign(globalThis, { __webpack_nonce__: nonce })

/** Paper is white: light words of the dark look would vanish on it. */
const look = document.documentElement.dataset
let lookOnScreen = look.mantineColorScheme

window.addEventListener('beforeprint', () => {
  lookOnScreen = look.mantineColorScheme
  look.mantineColorScheme = 'light'
})

window.addEventListener('afterprint', () => {
  if (lookOnScreen) look.mantineColorScheme = lookOnScreen
})

export function ThemeProvider({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      {children}
    </MantineProvider>
  )
}
