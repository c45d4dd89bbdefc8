import { useMantineColorScheme } from '@mantine/core'
import { DarkIcon, InfoIcon, LightIcon } from '../../components/icons/actions.tsx'
import { SwitchIcon } from '../../components/icons/navigation.tsx'
import { setTimeStyle } from '../../components/text/time-style.ts'
import { PersonDocument } from '../../generated/session.ts'
import { usePersonQuery } from '../../session/queries.ts'
import { useSignOut } from '../use-sign-out.ts'
import type { Entry } from './entry.ts'

/** The search's entries for a person's own actions, such as signing out, and for their other organizations. */
export function useCommands(organizationId: string): Entry[] {
  const { setColorScheme } = useMantineColorScheme()
  const signOut = useSignOut()
  const organizations = usePersonQuery(PersonDocument, {}).data?.user.organizations ?? []
  const command = (name: string, words: string, Icon: Entry['Icon'], run: () => void): Entry => ({
    ...{ id: `action ${name}`, name, words, kind: 'action', Icon, run },
  })
  const colorSchemeWords = 'mode theme look appearance color colour scheme switch turn on use'
  return [
    ...organizations
      .filter((other) => other.organizationId !== organizationId)
      .map(
        (other): Entry => ({
          id: `organization ${other.organizationId}`,
          name: `Switch to ${other.name}`,
          words: `organization ${other.name} ${other.environment ?? ''}`,
          context: other.environment?.toLowerCase() ?? null,
          kind: 'organization',
          Icon: SwitchIcon,
          target: { to: '/o/$organizationId', params: { organizationId: other.organizationId } },
        }),
      ),
    command('Dark look', `${colorSchemeWords} night black`, DarkIcon, () => setColorScheme('dark')),
    command('Light look', `${colorSchemeWords} day bright white`, LightIcon, () => setColorScheme('light')),
    command('Same look as the system', `${colorSchemeWords} auto`, InfoIcon, () => setColorScheme('auto')),
    command('Show exact times', 'utc dates timestamps absolute', InfoIcon, () => setTimeStyle('exact')),
    command('Show times as “3 h ago”', 'relative dates', InfoIcon, () => setTimeStyle('relative')),
    command('Sign out', 'log out logout signout exit leave', SwitchIcon, () => void signOut()),
  ]
}
