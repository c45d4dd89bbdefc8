/** The token in an invite's link, or in whatever was pasted; null when there is none. */
export function findInviteToken(text: string): string | null {
  return /\binv_\w+/.exec(text)?.[0] ?? null
}
