import { Textarea } from '@mantine/core'
import { useOrganizationId } from '../../../session/organization-id.ts'
import { updateReason, useReason } from '../draft/draft-store.ts'

/** The server's limit for a note. */
const maxLength = 500

/** Asks why the plans change, for the history and the audit log. The text is stored until the draft is saved or discarded. */
export function ReasonInput() {
  const organizationId = useOrganizationId()
  const reason = useReason(organizationId)
  return (
    <Textarea
      label="Reason"
      description="Optional: shown in the history and in the audit log. Perhaps a link to a ticket."
      autosize
      minRows={1}
      maxLength={maxLength}
      my="md"
      value={reason}
      onChange={(event) => updateReason(organizationId, () => event.currentTarget.value)}
    />
  )
}
