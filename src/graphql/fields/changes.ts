import { changesAnswer, readChanges } from '../../modules/changes/read-changes.ts'
import { followersAnswer } from '../../modules/changes/read-followers.ts'
import { argsOf } from '../input-type.ts'
import { defineType } from '../output-type.ts'
import { adjustRootField } from '../root-fields.ts'

defineType(changesAnswer)
defineType(followersAnswer)

const { wait: _, ...fields } = Object.fromEntries(readChanges.input.fields)

adjustRootField(readChanges, {
  note: 'This field never waits: only the REST API can wait or stream.',
  args: argsOf(new Map(Object.entries(fields))),
})
