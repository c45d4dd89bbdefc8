import { readFileSync } from 'node:fs'
import { type Node, parseSync, Visitor } from 'oxc-parser'

export type NamedLength = { name: string; lines: number }

export function linesOf(file: string): number {
  return readFileSync(file, 'utf8').trimEnd().split('\n').length
}

/** Every function of the text, including nested ones, by the line where it begins. */
export function functionsOf(file: string, text: string): NamedLength[] {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const found: NamedLength[] = []
  const lineAt = (position: number) => text.slice(0, position).split('\n').length
  const measure = ({ start, end }: Node) => {
    const first = lineAt(start)
    found.push({ name: `${file}:${first}`, lines: lineAt(end) - first + 1 })
  }
  new Visitor({ FunctionDeclaration: measure, FunctionExpression: measure, ArrowFunctionExpression: measure }).visit(
    program,
  )
  return found
}
