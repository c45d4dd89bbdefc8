import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { theme } from './theme.ts'
import { resolveVariables } from './variables.ts'

/** early.ts reads the same key before the first paint. */
const colorSchemeManager = localStorageColorSchemeManager({ key: 'console:color-scheme' })

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''

// The library that keeps the page from scrolling behind a dialog looks for its nonce under this name.
Object.assign(globalThis, { __webpack_nonce__: nonce })

// The page prints in the light scheme: the dark scheme's light text would be invisible on white paper.
const rootDataset = document.documentElement.dataset
let screenColorScheme = rootDataset.mantineColorScheme

window.addEventListener('beforeprint', () => {
  screenColorScheme = rootDataset.mantineColorScheme
  rootDataset.mantineColorScheme = 'light'
})

window.addEventListener('afterprint', () => {
  if (screenColorScheme) rootDataset.mantineColorScheme = screenColorScheme
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
