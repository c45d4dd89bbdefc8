import type { Details } from '../details.ts'
import type { NamedObject, Part, Sentence } from '../sentence.ts'

/** The facts of an entry that a wording uses. */
export type EntryFacts = {
  /** A path parameter by its name; empty if there is none. */
  param(name: string): string
  /** The changes; null for a removal, and for a write that changed nothing. */
  details: Details | null
  createdId: string | null
  /** The time of the request. */
  at: Date
  /** The object's name as a part of the sentence, or the object's id if the name is not known. */
  nameOf(type: NamedObject['type'], id: string): Part
}

/** The text after the actor's name: what they did, or what they tried to do when it was refused. */
type Wording = {
  /** "delete feature `export`" */
  tried(facts: EntryFacts): Sentence
  /** "deleted feature `export`" */
  did(facts: EntryFacts): Sentence
}

/** The wordings by method and route. */
export type Wordings = Record<string, Wording>
