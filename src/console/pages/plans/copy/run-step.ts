import type { Change, Step } from '../../../../core/catalog/steps.ts'
import { isServerError } from '../../../api/errors.ts'
import type { TypedDocument } from '../../../api/typed-document.ts'
import { CatalogToCopyDocument } from '../../../generated/copy-catalog.ts'
import { CreateFeatureDocument, DeleteFeatureDocument, UpdateFeatureDocument } from '../../../generated/features.ts'
import {
  ArchivePlanDocument,
  CreatePlanDocument,
  DeletePlanDocument,
  UnarchivePlanDocument,
  UpdatePlanDocument,
} from '../../../generated/plans.ts'
import { request } from '../../../session/request.ts'

const documents = {
  create_feature: CreateFeatureDocument,
  update_feature: UpdateFeatureDocument,
  delete_feature: DeleteFeatureDocument,
  create_plan: CreatePlanDocument,
  update_plan: UpdatePlanDocument,
  delete_plan: DeletePlanDocument,
  archive_plan: ArchivePlanDocument,
  unarchive_plan: UnarchivePlanDocument,
} as unknown as Record<Change['operation'], TypedDocument<Record<string, { updatedAt?: string }>, { input: object }>>

/** The organization to write to, and the version of each object: as it was shown, or after an earlier step. */
type Target = { organizationId: string; versions: Map<string, string> }

/** Writes a step, or its fallback if the server refuses a removal. */
export async function runStep({ object, change, fallback }: Step, { organizationId, versions }: Target): Promise<void> {
  const { operation, key } = change
  const version = operation.startsWith('update_') ? { expectedUpdatedAt: versions.get(object) } : {}
  try {
    const answer = await request(
      documents[operation],
      { input: { ...toInput(change), ...version } },
      { organizationId },
    )
    const written = Object.values(answer)[0]?.updatedAt
    if (written !== undefined) versions.set(object, written)
  } catch (error) {
    if (!fallback || key === undefined || !isServerError(error, 'CONFLICT')) throw error
    if (fallback === 'archive') await request(ArchivePlanDocument, { input: { key } }, { organizationId })
    else if (!(await isOnlyOnArchivedPlans(key, organizationId))) throw error
  }
}

async function isOnlyOnArchivedPlans(feature: string, organizationId: string): Promise<boolean> {
  const { plans } = await request(CatalogToCopyDocument, {}, { organizationId })
  const granting = plans?.filter(({ grants }) => grants.some((grant) => grant.feature === feature)) ?? []
  return granting.every(({ archivedAt }) => archivedAt !== null)
}

/**
 * Converts a body of the REST API to GraphQL. A plan's kind is not converted: it is a word that the vendor chose, not an enum.
 */
function toInput({ operation, key, input = {} }: Change): object {
  const { kind, value_type: valueType, grants, ...others } = input as Record<string, string | object | undefined>
  return {
    ...(key !== undefined && { key }),
    ...others,
    ...(kind !== undefined && { kind: operation === 'create_feature' ? toUpper(kind) : kind }),
    ...(valueType !== undefined && { valueType: toUpper(valueType) }),
    ...(typeof grants === 'object' && {
      grants: Object.entries(grants).map(([feature, grant]) => ({ feature, ...grant, kind: toUpper(grant.kind) })),
    }),
  }
}

function toUpper(word: unknown): string {
  return String(word).toUpperCase()
}
