const prefix = 'console:draft:'

/** What was typed, and into what: `base` is the object as it was then, for a form that edits one. */
export type Draft<Values> = { values: Values; base?: { values: Values; version: string | null } | undefined }

/** What was typed into a form, kept for a reload of the page and gone with the tab. */
export function readDraft<Values extends object>(name: string): Draft<Values> | null {
  try {
    const draft = JSON.parse(sessionStorage.getItem(prefix + name) ?? 'null')
    return typeof draft?.values === 'object' ? draft : null
  } catch {
    return null
  }
}

export function writeDraft<Values extends object>(name: string, draft: Draft<Values>): void {
  sessionStorage.setItem(prefix + name, JSON.stringify(draft))
}

export function dropDraft(name: string): void {
  sessionStorage.removeItem(prefix + name)
}
