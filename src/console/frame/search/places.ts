import { AddIcon } from '../../components/icons/actions.tsx'
import { SwitchIcon, TeamIcon } from '../../components/icons/navigation.tsx'
import type { Label } from '../../session/viewer.ts'
import { navigation } from '../navigation.ts'
import type { Entry } from './entry.ts'

type Action = { name: string; to: string; search: Record<string, unknown>; label: Label }

const actions: readonly Action[] = [
  { name: 'Add feature', to: 'features', search: { create: true }, label: 'features:write' },
  { name: 'Add plan', to: 'plans', search: { create: true }, label: 'plans:write' },
  { name: 'Add subscriber', to: 'subscribers', search: { create: true }, label: 'subscribers:write' },
  { name: 'Invite a person', to: 'team', search: { invite: true }, label: 'invites:write' },
  {
    name: 'Add service account',
    to: 'team',
    search: { tab: 'service-accounts', create: true },
    label: 'service-accounts:write',
  },
  { name: 'Rename organization', to: 'settings', search: {}, label: 'org:write' },
]

/** The pages and actions for a role with these labels. */
export function placesFor(organizationId: string, labels: readonly string[]): Entry[] {
  const params = { organizationId }
  return [
    ...navigation
      .filter(({ label }) => labels.includes(label))
      .map(({ name, to, Icon }): Entry => ({ id: `page ${to}`, name, kind: 'page', Icon, target: { to, params } })),
    { id: 'page account', name: 'Account', kind: 'page', Icon: TeamIcon, target: { to: '/account' } },
    {
      id: 'page organizations',
      name: 'Organizations',
      kind: 'page',
      Icon: SwitchIcon,
      target: { to: '/organizations' },
    },
    ...actions
      .filter(({ label }) => labels.includes(label))
      .map(
        ({ name, to, search }): Entry => ({
          id: `action ${name}`,
          name,
          kind: 'action',
          Icon: AddIcon,
          target: { to: `/o/$organizationId/${to}`, params, search },
        }),
      ),
  ]
}

/** The places whose names have a word that begins with the text. */
export function findPlaces(places: readonly Entry[], text: string): Entry[] {
  const sought = text.trim().toLowerCase()
  return places.filter(({ name }) => ` ${name.toLowerCase()}`.includes(` ${sought}`))
}

/** Whether the text names this place so clearly that it comes before the server's hits. */
export function isMeant({ name }: Entry, text: string): boolean {
  const sought = text.trim().toLowerCase()
  return sought.length > 2 && name.toLowerCase().startsWith(sought)
}
