const key = 'console:person'

/** Deletes the drafts and recent objects in this tab's storage if they are another person's, whose session has ended. */
export function keepOnlyDataOf(userId: string): void {
  const owner = sessionStorage.getItem(key)
  sessionStorage.setItem(key, userId)
  if (owner === null || owner === userId) return
  for (const name of Object.keys(sessionStorage)) {
    if (/^console:(?:draft|recent):/.test(name)) sessionStorage.removeItem(name)
  }
}
