/**
 * What is written again and again with a value that only grows: so each value that an eval shows, and the one that the
 * database has, names the write it came from.
 */
export class Subject {
  readonly kind: 'override' | 'plan'
  /** The subscriber's id, or the plan's key, which is also the id of a subscriber on it. */
  readonly key: string
  /** The last value that was sent. */
  sent = 0
  /** The last value whose write was answered with success. */
  answered = 0
  /** The values that evals showed. */
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

  /** What events of it are about, as `aboutOf` names it. */
  get about(): string {
    return this.kind === 'override' ? `subscriber ${this.key}` : `plan ${this.key}`
  }
}
