import { inviteAnswer } from '../../modules/invites/invite.ts'
import { defineType } from '../output-type.ts'

// They are listed at the root alone: reading live links is recorded, one entry for each root field.
defineType(inviteAnswer)
