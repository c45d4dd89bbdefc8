const maxNames = 1_000
const otherName = 'other'

/** The organizations that have their own series: the first ones that the process sees. All others share a series. */
export class OrganizationNames {
  readonly #names = new Set<string>()

  /** The value of the label `organization_id`; empty if the organization is not known. */
  nameOf(organizationId: string | null): string {
    if (organizationId === null || this.#names.has(organizationId)) return organizationId ?? ''
    if (organizationId === otherName || this.#names.size >= maxNames) return otherName
    this.#names.add(organizationId)
    return organizationId
  }
}
