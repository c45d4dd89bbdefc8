/** A GraphQL document as text, with the types of its answer and its variables. */
export class TypedDocument<Result, Variables> {
  readonly name: string
  readonly text: string
  /** Exists only as a type. */
  declare readonly types: { result: Result; variables: Variables }

  constructor(name: string, text: string) {
    this.name = name
    this.text = text
  }
}

/** Every root field is present: if one is refused, so is the whole request. */
export type Answer<Result> = { [Field in keyof Result]: NonNullable<Result[Field]> }
