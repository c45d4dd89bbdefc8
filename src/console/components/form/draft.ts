const prefix = 'console:draft:'

/** What was typed into a form, kept for a reload of the page and gone with the tab. */
export function readDraft<Values extends object>(name: string): Partial<Values> {
  try {
    return JSON.parse(sessionStorage.getItem(prefix + name) ?? '{}')
  } catch {
    return {}
  }
}

export function writeDraft(name: string, values: object): void {
  sessionStorage.setItem(prefix + name, JSON.stringify(values))
}

export function dropDraft(name: string): void {
  sessionStorage.removeItem(prefix + name)
}
