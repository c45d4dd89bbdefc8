import { readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'
import { files } from '../contract/imports.ts'

/* Finds in the source the messages that the server can write to its log. `…` stands for their variable parts. */

type Node = { type: string; [name: string]: unknown }

const levels = ['debug', 'info', 'warn', 'error', 'fatal']
const loggers = /(^|[.#])(logger|log)\??$/
const ownFunctions = /^(#?warn|warnOnce)$/

const isOfServer = (file: string) => /^(src|rest|worker)\//.test(file) && !/^src\/(demo|tools|cli|web\/dev)/.test(file)

export function messagesOfServer(): Set<string> {
  return new Set(files.filter(isOfServer).flatMap((file) => messagesIn(file, readFileSync(file, 'utf8'))))
}

export function messagesIn(file: string, source: string): string[] {
  const found: string[] = []
  const textOf = ({ start, end }: Node) => source.slice(start as number, end as number)
  const add = (node: Node | undefined) => found.push(...literalsOf(node))
  new Visitor({
    CallExpression(call) {
      const { callee, arguments: args } = call as unknown as { callee: Node; arguments: Node[] }
      const { object, property } = callee as { object?: Node; property?: Node }
      const name = textOf(property ?? callee)
      const logs = object ? levels.includes(name) && loggers.test(textOf(object)) : false
      if (logs || ownFunctions.test(name)) add(args.at(-1))
    },
    // The lines that `listen` and `createWaker` write when they lose their connection.
    Property(property) {
      const { key, value } = property as unknown as { key: Node; value: Node }
      if (textOf(key) === 'lostMessage') add(value)
    },
    VariableDeclarator(declarator) {
      const { id, init } = declarator as unknown as { id: Node; init?: Node }
      if (textOf(id) === 'lostMessage') add(init)
    },
  }).visit(parseSync(file, source).program)
  return found
}

function literalsOf(node: Node | undefined): string[] {
  if (node?.type === 'Literal' && typeof node.value === 'string') return [node.value]
  if (node?.type !== 'TemplateLiteral') return []
  return [(node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…')]
}
