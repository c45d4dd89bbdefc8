import { Menu, UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { SwitchIcon } from '../components/icons/navigation.tsx'
import { PersonDocument } from '../generated/session.ts'
import { usePersonQuery } from '../session/queries.ts'
import { ColorSchemeItems } from './color-scheme-items.tsx'
import classes from './rail.module.css'
import { TimeStyleItem } from './time-style-item.tsx'
import { useSignOut } from './use-sign-out.ts'

/** Who is signed in, how they want to see things, and the way out. */
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
        <Menu.Item onClick={() => void signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
