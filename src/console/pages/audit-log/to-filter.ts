import type { AuditEventFilter, AuditOutcome } from '../../generated/audit-log.ts'

export type AuditSearch = {
  actor?: string | undefined
  route?: string | undefined
  param?: string | undefined
  request?: string | undefined
  outcome?: AuditOutcome | undefined
}

/** The filter that the page's address asks for. */
export function toFilter({ actor, route, param, request, outcome }: AuditSearch): AuditEventFilter {
  return {
    ...(actor && { actorMemberId: actor }),
    ...(route && { route }),
    ...(request && { requestId: request }),
    ...(outcome && { outcome }),
    ...(param && { params: [toParam(param)] }),
  }
}

/** "key=export" */
function toParam(text: string): { name: string; value: string } {
  const at = text.indexOf('=')
  return at === -1 ? { name: text, value: '' } : { name: text.slice(0, at), value: text.slice(at + 1) }
}
