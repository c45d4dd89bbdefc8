import { fieldsOf } from '../../core/field-type.ts'
import { auditActorAnswer, auditEventAnswer } from '../../modules/audit/audit-event.ts'
import { auditFilterInput } from '../../modules/audit/audit-filter.ts'
import { auditObjectId, auditObjectType } from '../../modules/audit/audit-object.ts'
import { listAuditEvents, listUserAuditEvents } from '../../modules/audit/read-audit-events.ts'
import { auditHeadAnswer } from '../../modules/audit/read-audit-head.ts'
import { loadActors } from '../../modules/members/acting-member.ts'
import { builder } from '../builder.ts'
import { defineInputType, inputFields, withoutNulls } from '../input-type.ts'
import { defineType, descriptionOf } from '../output-type.ts'
import {
  connectionOf,
  filterArgument,
  filterDescription,
  type PageArguments,
  pageArgs,
  pageComplexity,
  toConnection,
} from '../page.ts'
import { adjustRootField, markNestedOnly } from '../root-fields.ts'
import { ActingMemberType } from './members.ts'
import { UserType } from './users.ts'

const AuditActor = defineType(auditActorAnswer, {
  fields: (t) => ({
    member: t.field({
      type: ActingMemberType,
      nullable: true,
      description: "The member who acted, with their name, if known; null in a person's own log.",
      resolve: async ({ memberId, userId }, _args, context, info) =>
        (memberId !== null && userId === null && (await context.nested(info, memberId, loadActors))) || null,
    }),
  }),
})

const AuditParam = builder.objectRef<{ name: string; value: string }>('AuditParam').implement({
  description: 'A path parameter with its value.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The name in the template of the route, such as `subscriber_id`.' }),
    value: t.exposeString('value', { description: 'The value in the path.' }),
  }),
})

const AuditEventType = defineType(auditEventAnswer, {
  except: ['actor', 'params'],
  fields: (t) => ({
    actor: t.field({
      type: AuditActor,
      description: descriptionOf(auditEventAnswer, 'actor'),
      resolve: (event) => event,
    }),
    params: t.field({
      type: [AuditParam],
      description: descriptionOf(auditEventAnswer, 'params'),
      resolve: ({ params }) => Object.entries(params).map(([name, value]) => ({ name, value })),
    }),
  }),
})

const { limit: _limit, starting_after: _after, object_type, object_id, ...filterShape } = auditFilterInput.shape

const objectShape = { type: auditObjectType(), id: auditObjectId().optional() }

const AuditFilterInput = builder.inputType('AuditEventFilter', {
  description: filterDescription,
  fields: (t) => ({
    ...inputFields(t, fieldsOf(filterShape)),
    object: t.field({
      type: defineInputType('AuditObjectInput', fieldsOf(objectShape), {
        description: 'An object of the organization.',
      }),
      description: 'Only entries that created, changed or deleted this object.',
    }),
  }),
})

type AuditArguments = PageArguments & { filter?: { object?: unknown } | null | undefined }

const auditArgs = builder.args((t) => ({
  ...pageArgs,
  filter: t.field({ type: AuditFilterInput, description: filterArgument }),
}))

function toAuditInput({ filter, ...page }: AuditArguments): object {
  const { object: wanted, ...others } = filter ?? {}
  const object = wanted as { type: string; id?: string | null } | null | undefined
  return withoutNulls({ ...others, 'object.type': object?.type ?? null, 'object.id': object?.id || null, ...page })
}

adjustRootField(listAuditEvents, {
  args: auditArgs,
  resolve: async (_root, args: AuditArguments, context) => {
    const page = await context.run(listAuditEvents, toAuditInput(args))
    return toConnection(page, args, ({ id }) => id)
  },
})

defineType(auditHeadAnswer)

markNestedOnly(listUserAuditEvents)

builder.objectField(UserType, listAuditEvents.name, (t) =>
  t.field({
    type: connectionOf(AuditEventType),
    description:
      'What the person did with their account: for example, they changed the password, or joined an organization.',
    args: auditArgs,
    complexity: pageComplexity,
    resolve: async (_user, args, context) => {
      const page = await context.run(listUserAuditEvents, toAuditInput(args))
      return toConnection(page, args, ({ id }) => id)
    },
  }),
)
