import { hashToken, newToken, type Token } from './token.ts'

/**
 * A person's session in the console of one organization ends after this many hours without use, and in any case after this
 * many days.
 */
export const consoleSessionIdleHours = 12
export const consoleSessionDays = 7

/** A browser's sign-in ends after this many days. */
const userSessionDays = 7

/** How long a browser's sign-in lasts: shorter after a sign-in at the identity provider, so that groups are read again. */
export const userSessionMs = { local: userSessionDays * 86_400_000, provider: 12 * 3_600_000 }

/** How long the service recognizes a browser in which somebody signed in. */
export const browserMarkDays = 180

export function newConsoleSession(): Token {
  return newToken('ses')
}

export function hashConsoleSession(text: string): Buffer | null {
  return hashToken('ses', text)
}

export function newUserSession(): Token {
  return newToken('usr')
}

export function hashUserSession(text: string): Buffer | null {
  return hashToken('usr', text)
}

/** The SHA-256 of each text that has the format of a browser's sign-in or of a console session; other texts are left out. */
export function hashSessions(tokens: readonly string[]): Buffer[] {
  return tokens.flatMap((text) => hashUserSession(text) ?? hashConsoleSession(text) ?? [])
}

export function addDays(now: Date, days: number): Date {
  return new Date(now.getTime() + days * 86_400_000)
}

export const daysToSeconds = (days: number) => days * 86_400
