import { z } from 'zod'
import { asScalar } from '../../core/field-type.ts'
import { ulidPattern } from '../../core/ids.ts'
import { isStorableText } from '../../core/json.ts'

/** Where an item stands in a history: its moment, its entry (none for an expiry), and what it is about within the entry. */
export type Place = { micros: number; entryId: string; part: string }

const maxIdLength = 300
const pattern = /^(\d{1,16})\.([0-9A-Z]{26})?\.([a-z0-9_:-]{0,128})$/

/** The id of an item, which callers send back to read on after it. */
export function toItemId({ micros, entryId, part }: Place): string {
  return Buffer.from(`${micros}.${entryId}.${part}`).toString('base64url')
}

function findPlace(id: string): Place | null {
  if (id.length > maxIdLength) return null
  const text = Buffer.from(id, 'base64url').toString('utf8')
  const [, micros = '', entryId = '', part = ''] = pattern.exec(text) ?? []
  const place = { micros: Number(micros), entryId, part }
  const isWhole = micros !== '' && (entryId === '' || ulidPattern.test(entryId)) && toItemId(place) === id
  return isWhole ? place : null
}

/** The `starting_after` of a history. */
export function itemCursor() {
  const schema = z
    .string()
    .refine((id) => isStorableText(id) && findPlace(id) !== null)
    .describe('the id of an item of this history')
    .meta({ minLength: 1, maxLength: maxIdLength, pattern: '^[A-Za-z0-9_-]+$' })
  return asScalar('ID', schema)
}

export function toPlace(cursor: string | undefined): Place | null {
  return cursor === undefined ? null : findPlace(cursor)
}

/** Whether an item stands behind this place: it is older; of one entry, items are sorted, and the one without a part is last. */
export function isBehind(item: Place, { micros, entryId, part }: Place): boolean {
  if (item.micros !== micros) return item.micros < micros
  if (item.entryId !== entryId) return item.entryId < entryId
  if (item.part === '' || part === '') return item.part === '' && part !== ''
  return item.part > part
}
