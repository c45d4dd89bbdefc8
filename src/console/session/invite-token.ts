/** The token in an invite link or other pasted text; null if there is none. */
export function findInviteToken(text: string): string | null {
  return /\binv_\w+/.exec(text)?.[0] ?? null
}
