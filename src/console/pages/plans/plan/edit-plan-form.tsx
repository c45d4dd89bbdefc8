import { EditForm } from '../../../components/form/edit-form.tsx'
import { toFormValues } from '../../../components/form/fields.tsx'
import { UpdatePlanDocument } from '../../../generated/plans.ts'
import { useOrganizationWrite } from '../../../session/queries.ts'
import { updatePlanExample } from '../api-examples.ts'
import { type Plan, planFields } from '../plan.ts'

/** The name of the form's draft. */
export const draftOf = (key: string) => `edit-plan ${key}`

export function EditPlanForm({ plan, onClose }: { plan: Plan; onClose(): void }) {
  const { key, updatedAt } = plan
  const write = useOrganizationWrite()
  return (
    <EditForm
      fields={planFields}
      values={toFormValues(planFields, plan)}
      version={updatedAt}
      draft={draftOf(key)}
      action="Rename"
      save={async (changes, expectedUpdatedAt) =>
        (await write(UpdatePlanDocument, { input: { key, ...changes, expectedUpdatedAt } })).updatePlan
      }
      done={() => 'The plan was renamed.'}
      example={(changes) => updatePlanExample(key, changes)}
      onClose={onClose}
    />
  )
}
