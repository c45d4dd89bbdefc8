export type RoleStep<Role> = {
  role: Role
  /** The role whose labels this one has too. */
  beyond: Role | null
  /** The labels that it has and `beyond` has not. */
  added: string[]
}

/** From the least to the most: each role as what it adds to the largest one that it contains. */
export function toRoleSteps<Role>(roles: readonly { role: Role; labels: readonly string[] }[]): RoleStep<Role>[] {
  const bySize = roles.toSorted((one, other) => one.labels.length - other.labels.length)
  return bySize.map(({ role, labels }, index) => {
    const beneath = bySize.slice(0, index).findLast((each) => each.labels.every((label) => labels.includes(label)))
    return {
      role,
      beyond: beneath?.role ?? null,
      added: labels.filter((label) => !beneath?.labels.includes(label)),
    }
  })
}
