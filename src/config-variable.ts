import type { z } from 'zod'

/** An environment variable; an empty one counts as absent. The documentation lists all variables. */
export type Variable<Value> = {
  /** Describes the allowed values, and parses the text. */
  kind: z.ZodType<Value>
  /** The default text, if there is one. */
  fallback: string | undefined
  /** The default in the documentation, as Markdown. */
  shown: string
  /** The purpose, for the documentation. */
  text: string
  /** Messages never show the value of a secret. The value may also be in the file that the variable `<name>_FILE` names. */
  isSecret?: true
  /** A limit of the API: with PROCESSES, each process gets an equal part of it. */
  isShared?: true
}

export function variable<Value>(kind: z.ZodType<Value>, defaultText: string, purpose: string): Variable<Value> {
  return { kind, fallback: defaultText, shown: `\`${defaultText}\``, text: purpose }
}

/** A variable without a default text: its default depends on other variables, or its feature is off. */
export function optional<Value>(
  kind: z.ZodType<Value>,
  documentedDefault: string,
  text: string,
): Variable<Value | undefined> {
  return { kind, fallback: undefined, shown: documentedDefault, text }
}

export function secret<Value>(described: Variable<Value>): Variable<Value> {
  return { ...described, isSecret: true }
}

/** Marks a limit that the API processes of PROCESSES share. */
export function shared(described: Variable<number>): Variable<number> {
  return { ...described, isShared: true }
}
