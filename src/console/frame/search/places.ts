import { AddIcon, InfoIcon } from '../../components/icons/actions.tsx'
import { FeaturesIcon, SubscribersIcon, SwitchIcon, TeamIcon } from '../../components/icons/navigation.tsx'
import type { Label } from '../../session/viewer.ts'
import { navigation } from '../navigation.ts'
import { keysHash } from '../shortcuts/keys-hash.ts'
import type { Entry } from './entry.ts'
import { hasWords } from './has-words.ts'

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

/** Parts of pages that people look for by name. */
const parts: readonly (Action & { Icon: Entry['Icon'] })[] = [
  { name: 'Roles: who may do what', to: 'team', search: { tab: 'roles' }, label: 'org:read', Icon: TeamIcon },
  { name: 'Invites', to: 'team', search: { tab: 'invites' }, label: 'invites:read', Icon: TeamIcon },
  {
    name: 'Service accounts and API keys',
    to: 'team',
    search: { tab: 'service-accounts' },
    label: 'service-accounts:read',
    Icon: TeamIcon,
  },
  {
    name: 'Overrides to clean up',
    to: 'features',
    search: { tab: 'clean-up' },
    label: 'overrides:read',
    Icon: FeaturesIcon,
  },
  {
    name: 'Import subscribers',
    to: 'subscribers/import',
    search: {},
    label: 'subscribers:write',
    Icon: SubscribersIcon,
  },
]

/** The pages and actions for a role with these labels. */
export function placesFor(organizationId: string, labels: readonly string[]): Entry[] {
  const params = { organizationId }
  return [
    ...navigation
      .filter(({ label }) => labels.includes(label))
      .map(({ name, to, Icon }): Entry => ({ id: `page ${to}`, name, kind: 'page', Icon, target: { to, params } })),
    ...parts
      .filter(({ label }) => labels.includes(label))
      .map(
        ({ name, to, search, Icon }): Entry => ({
          id: `page ${name}`,
          name,
          kind: 'page',
          Icon,
          target: { to: `/o/$organizationId/${to}`, params, search },
        }),
      ),
    { id: 'page account', name: 'Account', kind: 'page', Icon: TeamIcon, target: { to: '/account' } },
    {
      id: 'page organizations',
      name: 'Organizations',
      kind: 'page',
      Icon: SwitchIcon,
      target: { to: '/organizations' },
    },
    {
      id: 'help keys',
      name: 'Help: keyboard shortcuts',
      kind: 'help',
      Icon: InfoIcon,
      target: { to: '.', hash: keysHash },
    },
    { id: 'help guides', name: 'Help: docs, guides and API reference', kind: 'help', Icon: InfoIcon, href: '/docs' },
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

/** The places whose names have all words of the text, or words that begin so. */
export function findPlaces(places: readonly Entry[], text: string): Entry[] {
  return places.filter(({ name }) => hasWords(name, text))
}

/** Whether the text names this place so clearly that it comes before the server's hits. */
export function isMeant({ name }: Entry, text: string): boolean {
  const sought = text.trim().toLowerCase()
  return sought.length > 2 && name.toLowerCase().startsWith(sought)
}
