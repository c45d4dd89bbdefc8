import type { z } from 'zod'

/** An environment variable; absent and empty are the same. The tables in the documentation show all of them. */
export type Variable<Value> = {
  /** Describes the allowed values, and parses the text. */
  kind: z.ZodType<Value>
  /** The default text, if any. */
  fallback: string | undefined
  /** The default in the documentation, as Markdown. */
  shown: string
  /** The purpose, with which the variable's documentation begins. */
  text: string
  /** A secret may instead be in a file, which the variable with `_FILE` after its name gives; messages never show it. */
  isSecret?: true
  /** A limit of the API: with PROCESSES, each process gets an equal part of it. */
  isShared?: true
}

export function variable<Value>(kind: z.ZodType<Value>, fallback: string, text: string): Variable<Value> {
  return { kind, fallback, shown: `\`${fallback}\``, text }
}

/** A variable without a default text: its default depends on other variables, or its feature is off. */
export function optional<Value>(kind: z.ZodType<Value>, shown: string, text: string): Variable<Value | undefined> {
  return { kind, fallback: undefined, shown, text }
}

/** Marks a variable as a secret. */
export function secret<Value>(described: Variable<Value>): Variable<Value> {
  return { ...described, isSecret: true }
}

/** Marks a limit that the API processes of PROCESSES share. */
export function shared(described: Variable<number>): Variable<number> {
  return { ...described, isShared: true }
}
