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

/** The answer to a document. No root field is null: if one is refused, `execute` throws. */
export type Answer<Result> = { [Field in keyof Result]: NonNullable<Result[Field]> }
