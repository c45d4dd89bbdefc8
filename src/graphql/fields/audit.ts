import { fieldsOf } from '../../core/field-type.ts'
import { StoredJson } from '../../core/stored-json.ts'
import {
  type AuditEvent,
  auditMethods,
  auditOutcomes,
  auditServices,
  authTypes,
} from '../../modules/audit/audit-event.ts'
import { auditFilterInput } from '../../modules/audit/audit-filter.ts'
import { listAuditEvents, listUserAuditEvents } from '../../modules/audit/read-audit-events.ts'
import { builder, defineEnum } from '../builder.ts'
import { defineInputType, withoutNulls } from '../input-type.ts'
import { defineConnection, type PageArguments, pageArgs, pageComplexity, toConnection } from '../page.ts'
import { UserType } from './users.ts'

const AuditOutcome = defineEnum(
  'AuditOutcome',
  auditOutcomes,
  'REJECTED before it ran; RESPONDED with a status; NO_RESPONSE and PENDING: the outcome was lost, not that it failed.',
)
const AuditMethod = defineEnum('AuditMethod', auditMethods, 'Of the REST route, whichever door was used.')
const AuditService = defineEnum('AuditService', auditServices, 'What the request was about.')
const AuthType = defineEnum(
  'AuthType',
  authTypes,
  'How a request was signed: by a key, in the console, by a personal sign-in.',
)

const AuditActor = builder.objectRef<AuditEvent>('AuditActor').implement({
  description: 'Who sent the request.',
  fields: (t) => ({
    memberId: t.exposeID('memberId', {
      nullable: true,
      description: "A service account is a member. Null only in a person's own log.",
    }),
    authType: t.field({ type: AuthType, resolve: ({ authType }) => authType }),
    keyPrefix: t.exposeString('keyPrefix', {
      nullable: true,
      description: 'Of the key, or of the console session; null for a personal sign-in.',
    }),
  }),
})

const AuditParam = builder.objectRef<{ name: string; value: string }>('AuditParam').implement({
  description: 'A path value by name.',
  fields: (t) => ({ name: t.exposeString('name'), value: t.exposeString('value') }),
})

const AuditEventType = builder.objectRef<AuditEvent>('AuditEvent').implement({
  description: 'What became of one recorded request.',
  fields: (t) => ({
    id: t.exposeID('id'),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When the request was received.' }),
    requestId: t.exposeID('requestId'),
    userId: t.exposeID('userId', { nullable: true, description: "Only in a person's own log." }),
    organizationId: t.exposeID('organizationId', { nullable: true }),
    actor: t.field({ type: AuditActor, resolve: (event) => event }),
    service: t.field({ type: AuditService, resolve: ({ service }) => service }),
    method: t.field({ type: AuditMethod, resolve: ({ method }) => method }),
    route: t.exposeString('route', { description: 'The template of the REST route, whichever door was used.' }),
    params: t.field({
      type: [AuditParam],
      resolve: ({ params }) => Object.entries(params).map(([name, value]) => ({ name, value })),
    }),
    ip: t.exposeString('ip'),
    userAgent: t.exposeString('userAgent', { nullable: true }),
    outcome: t.field({ type: AuditOutcome, resolve: ({ outcome }) => outcome }),
    status: t.exposeInt('status', { nullable: true, description: 'The HTTP status, when there was an answer.' }),
    details: t.field({
      type: 'JSON',
      nullable: true,
      description: 'What changed, in the words of the REST door.',
      resolve: ({ details }) => (details === null ? null : new StoredJson(details)),
    }),
    createdId: t.exposeID('createdId', { nullable: true }),
  }),
})

export const AuditEventConnection = defineConnection<AuditEvent>('AuditEvent', AuditEventType)

const { limit: _limit, starting_after: _after, ...filterShape } = auditFilterInput.shape

const AuditFilterInput = defineInputType('AuditEventFilter', fieldsOf(filterShape), {
  description: 'All combined with AND.',
})

type AuditArguments = PageArguments & { filter?: unknown }

/** The arguments of a field that is a log. */
export const auditArgs = builder.args((t) => ({ ...pageArgs, filter: t.field({ type: AuditFilterInput }) }))

function toAuditInput({ filter, ...page }: AuditArguments): object {
  return withoutNulls({ ...(filter ?? {}), ...page })
}

builder.queryFields((t) => ({
  [listAuditEvents.name]: t.field({
    type: AuditEventConnection,
    description: 'The audit log, newest first.',
    args: auditArgs,
    complexity: pageComplexity,
    resolve: async (_root, args, context) => {
      const page = await context.run(listAuditEvents, toAuditInput(args))
      return toConnection(page, args, ({ id }) => id)
    },
  }),
}))

builder.objectField(UserType, listAuditEvents.name, (t) =>
  t.field({
    type: AuditEventConnection,
    description: 'What this person did: with their account, and creating, joining and signing in to organizations.',
    args: auditArgs,
    complexity: pageComplexity,
    resolve: async (_user, args, context) => {
      const page = await context.run(listUserAuditEvents, toAuditInput(args))
      return toConnection(page, args, ({ id }) => id)
    },
  }),
)
