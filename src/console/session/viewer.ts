import type { Answer } from '../api/typed-document.ts'
import { ViewerDocument, type ViewerQuery } from '../generated/session.ts'
import { useOrganizationQuery } from './queries.ts'

export type Label =
  | `${'features' | 'plans' | 'subscribers' | 'overrides' | 'org' | 'members' | 'service-accounts' | 'webhooks' | 'invites'}:${'read' | 'write'}`
  | 'entitlements:read'
  | 'org:audit:read'

type Viewer = Answer<ViewerQuery>['viewer']

/** The member who acts in the page's organization. The route has read it before any page is shown. */
export function useViewer(): Viewer | null {
  return useOrganizationQuery(ViewerDocument, {}).data?.viewer ?? null
}

/** Whether the person's role carries the label. The console offers only what a role may do. */
export function useMay(label: Label): boolean {
  return useViewer()?.labels.includes(label) ?? false
}
