import { inviteAnswer } from '../../modules/invites/invite.ts'
import { defineType } from '../output-type.ts'

// Invites are listed only at the root: reading live links is recorded in the audit log, with one entry for each root field.
defineType(inviteAnswer)
