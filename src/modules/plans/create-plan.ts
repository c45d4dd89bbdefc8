import { conflict } from '../../core/errors.ts'
import { note } from '../../core/field-type.ts'
import { key, slug } from '../../core/fields.ts'
import { defineInput } from '../../core/input.ts'
import { toObject } from '../../core/json.ts'
import { toColumns } from '../../core/names.ts'
import { readClock } from '../../database/sql.ts'
import { defineWrite } from '../../operation/operation.ts'
import { assertRoomForPlan, countCatalogBytes } from '../organizations/catalog-caps.ts'
import { renewCatalogVersion } from '../organizations/organization.ts'
import { archiveHints } from './archive-plan.ts'
import { assertGrantsFit, grantMap, insertGrants, toGrantRows } from './grants.ts'
import { type Grant, type Plan, planAnswer, planFields } from './plan.ts'

const input = defineInput(
  {
    key: key(),
    ...planFields.input,
    kind: note(slug().optional(), { meaning: 'A category chosen by the vendor; `standard` when left out.' }),
    grants: note(grantMap().optional(), { meaning: "The plan's grants; none if left out." }),
  },
  { unknown: 'reject', hints: archiveHints },
)

export const createPlan = defineWrite({
  name: 'createPlan',
  summary: 'Create a plan.',
  method: 'POST',
  route: '/org/plans',
  service: 'api',
  labels: ['plans:write'],
  locks: 'organization',
  status: 201,
  input,
  answer: planAnswer,
  refusals: ['CONFLICT'],
  async run({ tx, sql, organizationId, memberId, input, limits }) {
    const { grants = new Map(), ...written } = input
    const { bytesBefore } = await renewCatalogVersion(tx, organizationId)
    await assertGrantsFit(tx, organizationId, grants)

    const now = await readClock(sql)
    const [plan] = await tx.plan.createManyAndReturn({
      data: {
        organizationId,
        kind: 'standard',
        ...toColumns(written),
        createdAt: now,
        updatedAt: now,
      },
      skipDuplicates: true,
    })
    if (plan === undefined) {
      throw conflict({ field: 'key', value: input.key }, `A plan with the key "${input.key}" already exists.`)
    }
    const rows = toGrantRows(plan, grants)
    await insertGrants(tx, rows, { at: now, by: memberId })
    await assertRoomForPlan(tx, organizationId, limits)
    await countCatalogBytes(tx, organizationId, { bytesBefore, limits })
    return { result: { ...plan, grants: rows }, createdId: plan.key, details: describeNewPlan(plan, grants) }
  },
})

function describeNewPlan(plan: Plan, grants: ReadonlyMap<string, Grant>): Record<string, unknown> {
  const { key, kind } = plan
  const { position, ...fields } = planFields.toDetails(plan)
  return { key, ...fields, ...(position !== null && { position }), kind, grants: toObject(grants) }
}
