const browsers: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /\bEdg/],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
]

const systems: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Windows', /Windows/],
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux|CrOS/],
]

/** "Firefox on Windows" for a browser, the start of the user agent for another program. */
export function describeProgram(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown program'
  const [browser, system] = [browsers, systems].map(
    (names) => names.find(([, pattern]) => pattern.test(userAgent))?.[0],
  )
  if (!browser) return userAgent.length > 60 ? `${userAgent.slice(0, 59)}…` : userAgent
  return system ? `${browser} on ${system}` : browser
}
