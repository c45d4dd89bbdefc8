import { type MantineColorScheme, Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { DarkIcon, DoneIcon, InfoIcon, LightIcon } from '../components/icons/actions.tsx'
import { SwitchIcon } from '../components/icons/navigation.tsx'
import { setTimeStyle, useTimeStyle } from '../components/text/time-style.ts'
import { PersonDocument } from '../generated/session.ts'
import { usePersonQuery } from '../session/queries.ts'
import classes from './rail.module.css'
import { keysHash } from './shortcuts/keys-hash.ts'
import { useSignOut } from './use-sign-out.ts'

/** Shows who is signed in. Its menu has their display settings, links and Sign out. */
export function PersonMenu() {
  const person = usePersonQuery(PersonDocument, {}).data?.user
  const signOut = useSignOut()
  return (
    <Menu position="top-start" width={240} closeOnItemClick={false}>
      <Menu.Target>
        <UnstyledButton className={classes.switcher}>
          <span className={classes.names}>
            <span className={classes.name}>{person?.displayName}</span>
            <span className={classes.second}>{person?.email}</span>
          </span>
          <SwitchIcon size={16} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <ColorSchemeItems />
        <Menu.Divider />
        <TimeStyleItem />
        <Menu.Divider />
        <Menu.Item renderRoot={(props) => <Link to="/account" {...props} />}>Account</Menu.Item>
        <Menu.Item component="a" href="/docs">
          Guides
        </Menu.Item>
        <Menu.Item
          closeMenuOnClick
          renderRoot={(props) => <Link to="." search={true} hash={keysHash} replace {...props} />}
        >
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const colorSchemes: readonly [MantineColorScheme, string, typeof LightIcon][] = [
  ['light', 'Light', LightIcon],
  ['dark', 'Dark', DarkIcon],
  ['auto', 'Same as system', InfoIcon],
]

function ColorSchemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return colorSchemes.map(([scheme, name, Icon]) => (
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

function TimeStyleItem() {
  const style = useTimeStyle()
  return (
    <Menu.Item onClick={() => setTimeStyle(style === 'exact' ? 'relative' : 'exact')}>
      {style === 'exact' ? 'Show times as “3 h ago”' : 'Show exact times'}
    </Menu.Item>
  )
}
