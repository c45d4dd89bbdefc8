/**
 * An object that is written repeatedly with an increasing value, so that a value in an eval or in the database identifies the
 * write that it came from.
 */
export class Subject {
  readonly kind: 'override' | 'plan'
  /** The subscriber's id, or the plan's key, which is also the id of a subscriber on it. */
  readonly key: string
  /** The last value sent. */
  sent = 0
  /** The last value whose write was answered with success. */
  answered = 0
  /** The values that evals returned. */
  readonly seen = new Set<number>()

  constructor(kind: 'override' | 'plan', key: string) {
    this.kind = kind
    this.key = key
  }

  get method(): string {
    return this.kind === 'override' ? 'PUT' : 'PATCH'
  }

  get path(): string {
    return this.kind === 'override' ? `/org/subscribers/${this.key}/overrides/seats` : `/org/plans/${this.key}`
  }

  bodyOf(value: number): object {
    const seats = { kind: 'limit', limit: value }
    return this.kind === 'override' ? seats : { grants: { seats } }
  }

  /** The subject of the object's events, in the form of `aboutOf`. */
  get about(): string {
    return this.kind === 'override' ? `subscriber ${this.key}` : `plan ${this.key}`
  }
}
