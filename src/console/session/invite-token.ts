/** The token in an invite link or other pasted text; null if there is none. */
export function findInviteToken(text: string): string | null {
  return /\binv_\w+/.exec(text)?.[0] ?? null
}

const key = 'console:invite'

/** Keeps the token in this tab while the person is at the identity provider. */
export function keepInvite(token: string): void {
  sessionStorage.setItem(key, token)
}

export function readInvite(): string | null {
  return sessionStorage.getItem(key)
}

export function dropInvite(): void {
  sessionStorage.removeItem(key)
}
