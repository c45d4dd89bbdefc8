import { fieldsOf } from '../../core/field-type.ts'
import { type AuditEvent, auditActorAnswer, auditEventAnswer } from '../../modules/audit/audit-event.ts'
import { auditFilterInput } from '../../modules/audit/audit-filter.ts'
import { listAuditEvents, listUserAuditEvents } from '../../modules/audit/read-audit-events.ts'
import { builder } from '../builder.ts'
import { defineInputType, withoutNulls } from '../input-type.ts'
import { answerFields } from '../output-type.ts'
import { defineConnection, type PageArguments, pageArgs, pageComplexity, toConnection } from '../page.ts'
import { UserType } from './users.ts'

const AuditActor = builder.objectRef<AuditEvent>('AuditActor').implement({
  description: auditActorAnswer.description,
  fields: (t) => answerFields(t, auditActorAnswer),
})

const AuditParam = builder.objectRef<{ name: string; value: string }>('AuditParam').implement({
  description: 'A path value by name.',
  fields: (t) => ({ name: t.exposeString('name'), value: t.exposeString('value') }),
})

const AuditEventType = builder.objectRef<AuditEvent>('AuditEvent').implement({
  description: auditEventAnswer.description,
  fields: (t) => ({
    ...answerFields(t, auditEventAnswer, { except: ['actor', 'params'] }),
    actor: t.field({ type: AuditActor, resolve: (event) => event }),
    params: t.field({
      type: [AuditParam],
      resolve: ({ params }) => Object.entries(params).map(([name, value]) => ({ name, value })),
    }),
  }),
})

export const AuditEventConnection = defineConnection<AuditEvent>('AuditEvent', AuditEventType)

const { limit: _limit, starting_after: _after, ...filterShape } = auditFilterInput.shape

const AuditFilterInput = defineInputType('AuditEventFilter', fieldsOf(filterShape), {
  description: 'All combined with AND.',
})

type AuditArguments = PageArguments & { filter?: unknown }

/** The arguments of a log's field. */
export const auditArgs = builder.args((t) => ({ ...pageArgs, filter: t.field({ type: AuditFilterInput }) }))

function toAuditInput({ filter, ...page }: AuditArguments): object {
  return withoutNulls({ ...(filter ?? {}), ...page })
}

builder.queryFields((t) => ({
  [listAuditEvents.name]: t.field({
    type: AuditEventConnection,
    description: listAuditEvents.summary,
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
