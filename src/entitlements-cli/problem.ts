/** The exit codes of `entitlements`. The README lists them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** `diff --exit-code`, `types --check`: there are differences. `check`: a feature is not allowed. */
  different: 2,
  /** `apply`: somebody else changed the catalog first. */
  changedMeanwhile: 3,
  /** `apply`: nobody confirmed the changes. */
  notConfirmed: 4,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

type ProblemOptions = { exitCode?: ExitCode; code?: string; details?: unknown; cause?: unknown }

/** An error that the user can correct. The message says what to do next. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly exitCode: ExitCode
  readonly code: string
  readonly details: unknown
  /** Additional lines of the message. */
  readonly lines: readonly string[]

  constructor(
    message: string | readonly string[],
    { exitCode = exitCodes.failed, code = 'PROBLEM', details = null, cause }: ProblemOptions = {},
  ) {
    const lines = [message].flat()
    super(lines.join('\n'), { cause })
    this.lines = lines
    this.exitCode = exitCode
    this.code = code
    this.details = details
  }
}

/** A short reason for anything that was thrown: "connect ECONNREFUSED 127.0.0.1:4000". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message
}

export function isMissingFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
