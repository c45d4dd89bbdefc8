import { type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { DarkIcon, DoneIcon, InfoIcon, LightIcon } from '../components/icons/actions.tsx'

const schemes: readonly [MantineColorScheme, string, typeof LightIcon][] = [
  ['light', 'Light', LightIcon],
  ['dark', 'Dark', DarkIcon],
  ['auto', 'As the system', InfoIcon],
]

export function ColorSchemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return schemes.map(([scheme, name, Icon]) => (
    <Menu.Item
      key={scheme}
      leftSection={<Icon size={16} />}
      rightSection={scheme === colorScheme ? <DoneIcon size={16} /> : null}
      aria-current={scheme === colorScheme ? 'true' : undefined}
      onClick={() => setColorScheme(scheme)}
    >
      {name}
    </Menu.Item>
  ))
}
