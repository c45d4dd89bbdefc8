import { inviteAnswer } from '../../modules/invites/invite.ts'
import { defineType } from '../output-type.ts'

// Listed only at the root: reading live links is recorded, with one entry for each root field.
defineType(inviteAnswer)
