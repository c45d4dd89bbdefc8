import type { Answer } from '../api/typed-document.ts'
import { ViewerDocument, type ViewerQuery } from '../generated/session.ts'
import { useOrganizationQuery } from './queries.ts'

export type Label =
  | `${'features' | 'plans' | 'subscribers' | 'overrides' | 'org' | 'members' | 'service-accounts' | 'webhooks' | 'invites'}:${'read' | 'write'}`
  | 'entitlements:read'
  | 'org:audit:read'

type Viewer = Answer<ViewerQuery>['viewer']

/** The caller in the page's organization, with role and labels. The route reads this before it shows a page. */
export function useViewer(): Viewer | null {
  return useOrganizationQuery(ViewerDocument, {}).data?.viewer ?? null
}

/** Whether the person's role has the label. The console offers only what a role may do. */
export function useMay(label: Label): boolean {
  return useViewer()?.labels.includes(label) ?? false
}
