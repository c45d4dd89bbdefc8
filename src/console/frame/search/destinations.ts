import { AddIcon, EditIcon, InfoIcon } from '../../components/icons/actions.tsx'
import { FeaturesIcon, SubscribersIcon, SwitchIcon, TeamIcon, WebhookIcon } from '../../components/icons/navigation.tsx'
import type { Label } from '../../session/viewer.ts'
import { navigation } from '../navigation.ts'
import { keysHash } from '../shortcuts/keys-hash.ts'
import type { Entry } from './entry.ts'
import { hasWords, wordsOf } from './has-words.ts'

type Destination = {
  name: string
  /** Other words that people use for the destination. */
  words: string
  to: string
  search?: Record<string, unknown>
  label: Label
  Icon: Entry['Icon']
}

const createSearch = { create: true }
const createWords = 'new create make'
const personWords = 'user colleague member person'

const actions: readonly Destination[] = [
  {
    name: 'Add feature',
    words: `${createWords} flag limit config`,
    to: 'features',
    search: createSearch,
    label: 'features:write',
  },
  {
    name: 'Add plan',
    words: `${createWords} tier package price`,
    to: 'plans',
    search: createSearch,
    label: 'plans:write',
  },
  {
    name: 'Add subscriber',
    words: `${createWords} customer tenant account`,
    to: 'subscribers',
    search: createSearch,
    label: 'subscribers:write',
  },
  {
    name: 'Invite a person',
    words: `${createWords} add ${personWords} team`,
    to: 'team',
    search: { invite: true },
    label: 'invites:write',
  },
  {
    name: 'Add service account',
    words: `${createWords} api key token credentials`,
    to: 'team',
    search: { tab: 'service-accounts', ...createSearch },
    label: 'service-accounts:write',
  },
].map((action) => ({ ...action, Icon: AddIcon }) as Destination)

const otherActions: readonly Destination[] = [
  {
    name: 'Import subscribers',
    words: 'upload csv customers',
    to: 'import',
    label: 'subscribers:write',
    Icon: AddIcon,
  },
  {
    name: 'Change many subscribers',
    words: 'bulk mass several customers overrides plan',
    to: 'bulk',
    label: 'subscribers:write',
    Icon: EditIcon,
  },
  {
    name: 'Copy catalog to another organization',
    words: 'promote duplicate clone environment live test staging production features plans',
    to: 'copy-catalog',
    label: 'plans:read',
    Icon: SwitchIcon,
  },
  {
    name: 'Pause deliveries',
    words: 'stop disable suspend hold webhook webhooks events',
    to: 'webhook',
    search: { pause: true },
    label: 'webhooks:write',
    Icon: WebhookIcon,
  },
  {
    name: 'Resume deliveries',
    words: 'unpause continue start enable webhook webhooks events',
    to: 'webhook',
    label: 'webhooks:write',
    Icon: WebhookIcon,
  },
  {
    name: 'Change the webhook’s address',
    words: 'connect edit set webhook url endpoint receiver',
    to: 'webhook',
    search: { edit: true },
    label: 'webhooks:write',
    Icon: WebhookIcon,
  },
  {
    name: 'Rename organization',
    words: 'edit change name company settings environment live test',
    to: 'settings',
    label: 'org:write',
    Icon: EditIcon,
  },
]

/** Parts of pages that people look for by name. */
const parts: readonly Destination[] = [
  {
    name: 'Roles: who may do what',
    words: 'permissions rights access',
    to: 'team',
    search: { tab: 'roles' },
    label: 'org:read',
    Icon: TeamIcon,
  },
  {
    name: 'Invites',
    words: 'invitations',
    to: 'team',
    search: { tab: 'invites' },
    label: 'invites:read',
    Icon: TeamIcon,
  },
  {
    name: 'Service accounts and API keys',
    words: 'tokens credentials secrets',
    to: 'team',
    search: { tab: 'service-accounts' },
    label: 'service-accounts:read',
    Icon: TeamIcon,
  },
  {
    name: 'Overrides to clean up',
    words: 'exceptions unused old hygiene',
    to: 'features',
    search: { tab: 'clean-up' },
    label: 'overrides:read',
    Icon: FeaturesIcon,
  },
  {
    name: 'Failed deliveries',
    words: 'errors webhook events attempts',
    to: 'webhook',
    search: { state: 'FAILED' },
    label: 'webhooks:read',
    Icon: WebhookIcon,
  },
  {
    name: 'Subscribers without a plan',
    words: 'customers no none',
    to: 'subscribers',
    search: { without_plan: true },
    label: 'subscribers:read',
    Icon: SubscribersIcon,
  },
]

/** Other words for the pages of the navigation. */
const wordsOfPage: Record<(typeof navigation)[number]['name'], string> = {
  Overview: 'home dashboard start usage evals quota allotment',
  Features: 'flags limits configs catalog entitlements',
  Plans: 'tiers packages pricing grants matrix catalog',
  Subscribers: 'customers tenants accounts clients',
  Webhook: 'webhooks deliveries events endpoint receiver',
  'Audit log': 'history activity changes who',
  Team: 'members people users colleagues',
}

/** The pages and actions for a role with these labels. */
export function destinationsFor(organizationId: string, labels: readonly string[]): Entry[] {
  const toEntry =
    (kind: string) =>
    ({ name, words, to, search, Icon }: Destination): Entry => ({
      id: `${kind} ${name}`,
      name,
      words,
      kind,
      Icon,
      target: { to: `/o/$organizationId/${to}`, params: { organizationId }, ...(search && { search }) },
    })
  const may = ({ label }: { label: Label }) => labels.includes(label)
  return [
    ...navigation.filter(may).map(
      ({ name, to, Icon }): Entry => ({
        id: `page ${to}`,
        name,
        words: wordsOfPage[name],
        kind: 'page',
        Icon,
        target: { to, params: { organizationId } },
      }),
    ),
    ...parts.filter(may).map(toEntry('page')),
    ...personalPages,
    ...[...actions, ...otherActions].filter(may).map(toEntry('action')),
  ]
}

const personalPages: readonly Entry[] = [
  {
    id: 'page account',
    name: 'Account',
    words: 'my profile password email sessions settings',
    kind: 'page',
    Icon: TeamIcon,
    target: { to: '/account' },
  },
  {
    id: 'page organizations',
    name: 'Organizations',
    words: 'switch change other new create join',
    kind: 'page',
    Icon: SwitchIcon,
    target: { to: '/organizations' },
  },
  {
    id: 'help keys',
    name: 'Help: keyboard shortcuts',
    words: 'hotkeys',
    kind: 'help',
    Icon: InfoIcon,
    target: { to: '.', hash: keysHash },
  },
  {
    id: 'help guides',
    name: 'Help: docs, guides and API reference',
    words: 'documentation manual support',
    kind: 'help',
    Icon: InfoIcon,
    href: '/docs',
  },
]

/** The destinations that the text finds: each of its words is the start of a word of the name, or of the other words. */
export function findDestinations(destinations: readonly Entry[], text: string): Entry[] {
  return destinations.filter(({ name, words = '' }) => hasWords(`${name} ${words}`, text))
}

/** Whether the text names the destination so clearly that the destination is listed above the server's hits. */
export function isClearMatch({ name, words = '' }: Entry, text: string): boolean {
  const sought = text.trim().toLowerCase()
  if (sought.length < 3) return false
  return name.toLowerCase().startsWith(sought) || /\s/.test(sought) || wordsOf(words).includes(sought)
}
