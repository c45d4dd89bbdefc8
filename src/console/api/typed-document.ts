/** A GraphQL document as text, with the types of what it answers and of its variables. */
export class TypedDocument<Result, Variables> {
  readonly name: string
  readonly text: string
  /** Only for types. */
  declare readonly types: { result: Result; variables: Variables }

  constructor(name: string, text: string) {
    this.name = name
    this.text = text
  }
}

/** Every root field is there: a refused one is an error of the whole request. */
export type Answer<Result> = { [Field in keyof Result]: NonNullable<Result[Field]> }
