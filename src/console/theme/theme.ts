import { createTheme, type MantineColorsTuple } from '@mantine/core'

/** The only accent color, an ink blue. Other colors are used only if they mean something. */
const accentBlue: MantineColorsTuple = [
  '#eff4fd',
  '#dbe6fa',
  '#b7cdf5',
  '#8fb1ee',
  '#6a96e6',
  '#477cdc',
  '#2b5fc7',
  '#224fab',
  '#1b408c',
  '#15326f',
]

const gray: MantineColorsTuple = [
  '#f8f8f9',
  '#f1f1f3',
  '#e6e6e9',
  '#d9d9dd',
  '#bfbfc5',
  '#9b9ba3',
  '#6b6b74',
  '#4b4b53',
  '#323238',
  '#1b1b1f',
]

/** For errors, and for actions that cannot be undone. */
const red: MantineColorsTuple = [
  '#fdf0ef',
  '#fadbd8',
  '#f3b4ae',
  '#ec8b82',
  '#e2645a',
  '#d23f34',
  '#b42318',
  '#98190f',
  '#7b140c',
  '#5e0f09',
]

const dark: MantineColorsTuple = [
  '#e2e2e6',
  '#bcbcc4',
  '#9d9da7',
  '#63636d',
  '#3a3a42',
  '#2d2d34',
  '#222227',
  '#18181b',
  '#131316',
  '#0e0e10',
]

const overlayTitle = { fontSize: '1rem', fontWeight: 600, lineHeight: 1.4, overflowWrap: 'anywhere' } as const

/** For dialogs and drawers. Their headers must not have the role `banner`: the page has one already. */
const overlayDefaults = {
  overlayProps: { backgroundOpacity: 0.35 },
  closeButtonProps: { 'aria-label': 'Close' },
  attributes: { header: { role: 'none' } },
}

export const theme = createTheme({
  primaryColor: 'ink',
  primaryShade: { light: 6, dark: 6 },
  colors: { ink: accentBlue, gray, red, dark },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.75rem' },
      h2: { fontSize: '1rem', lineHeight: '1.5rem' },
      h3: { fontSize: '0.875rem', lineHeight: '1.25rem' },
    },
  },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Modal: {
      defaultProps: { centered: true, ...overlayDefaults },
      styles: { title: overlayTitle, content: { border: '1px solid var(--line)' } },
    },
    Drawer: { defaultProps: { position: 'right', ...overlayDefaults }, styles: { title: overlayTitle } },
    // Screen readers would announce the placeholder as an item of the menu.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // The arrow is an image without a name.
    NativeSelect: { defaultProps: { rightSectionProps: { 'aria-hidden': true } } },
    InputWrapper: { styles: { label: { marginBottom: 4 } } },
    SegmentedControl: { defaultProps: { withItemsBorders: false } },
    Tooltip: { defaultProps: { openDelay: 300 } },
  },
})
