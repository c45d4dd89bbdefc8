import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Comment, parseSync, type Span } from 'oxc-parser'

const client = fileURLToPath(new URL('../client/', import.meta.url))

/** A part of the page: types of the client, and how to list their members. */
type Section = { title: string; intro: string; of: readonly [file: string, name: string][]; as: 'fields' | 'methods' }

const sections: Section[] = [
  {
    title: 'Options',
    intro:
      'The options of `createEntitlements(options)`. `baseUrl` and either `apiKey` or `token` are required, unless `offline` is set.',
    of: [
      ['server.ts', 'Access'],
      ['options.ts', 'EntitlementsOptions'],
    ],
    as: 'fields',
  },
  {
    title: 'Methods',
    intro:
      'The methods of the client that `createEntitlements` returns. A subscriber id is a string, or a whole number, which is ' +
      'equivalent to its digits. The methods throw a `TypeError` for any other id.',
    of: [['entitlements.ts', 'Entitlements']],
    as: 'methods',
  },
  {
    title: 'Events',
    intro:
      '`entitlements.on(name, listener)` calls the listener with these values. It returns a function that removes the listener.',
    of: [['events.ts', 'Events']],
    as: 'fields',
  },
  {
    title: 'Detail',
    intro: 'The answer of `checkDetail` and `peek`.',
    of: [['snapshot.ts', 'Detail']],
    as: 'fields',
  },
  {
    title: 'Snapshot',
    intro: 'The answer of `snapshot` and `refresh`.',
    of: [['snapshot.ts', 'Snapshot']],
    as: 'fields',
  },
  { title: 'Entitlement', intro: 'One feature in a snapshot.', of: [['snapshot.ts', 'Entitlement']], as: 'fields' },
  {
    title: 'Store',
    intro:
      'The option `store` stores the last known answers outside the process: in Redis, in `localStorage`, or [on a ' +
      'disk](caching-and-freshness.md#a-store-on-disk). Each method may return a promise. If a store fails, or takes longer than half a ' +
      'second, the client works without it.',
    of: [['store.ts', 'Store']],
    as: 'methods',
  },
  {
    title: 'Logger',
    intro: 'The option `logger`. You can pass `console` and most loggers.',
    of: [['platform.ts', 'Logger']],
    as: 'methods',
  },
  {
    title: 'WebhookAnswer',
    intro: 'The result of `handleWebhook`.',
    of: [['webhook.ts', 'WebhookAnswer']],
    as: 'fields',
  },
  {
    title: 'webhookHandler',
    intro:
      'From `@entitlements-service/client/fastify`, `/express` and `/hono`: `webhookHandler(entitlements)` passes the raw body to ' +
      '`handleWebhook`, and answers. Fastify: `app.register(webhookHandler(entitlements), { prefix })`. Express, before `express.json()`, and ' +
      'Hono: `app.post(path, webhookHandler(entitlements, options))`. The options in Express and Hono:',
    of: [['frameworks/express.ts', 'WebhookOptions']],
    as: 'fields',
  },
  {
    title: 'requireEntitlement',
    intro:
      'From `@entitlements-service/client/fastify`, `/express` and `/hono`: `requireEntitlement(entitlements, feature, options)`. The options ' +
      'for Fastify are below; in Express, `onDenied` gets the request and the response, and in Hono the context.',
    of: [['frameworks/fastify.ts', 'RequireOptions']],
    as: 'fields',
  },
  {
    title: 'Denial',
    intro: 'The denial that `onDenied` gets.',
    of: [['frameworks/denial.ts', 'Denial']],
    as: 'fields',
  },
  {
    title: 'EntitlementsProvider in React',
    intro: 'From `@entitlements-service/client/react`. Its properties:',
    of: [['frameworks/react.ts', 'EntitlementsProviderProps']],
    as: 'fields',
  },
  {
    title: 'useEntitlement',
    intro:
      'From `@entitlements-service/client/react`: `useEntitlement(feature)` returns the fields `allowed`, `limit`, `value`, ' +
      '`source`, `expiresAt` and `problem` of a [detail](#detail), and one more field. The component renders again when they change.',
    of: [['frameworks/react-answers.ts', 'EntitlementAnswer']],
    as: 'fields',
  },
  {
    title: 'EntitlementsProvider for OpenFeature',
    intro:
      'From `@entitlements-service/client/openfeature`, and `EntitlementsWebProvider` from `/openfeature-web`. Both take the options of a client, ' +
      'or a client, and this option:',
    of: [['frameworks/openfeature-keys.ts', 'FlagKeys']],
    as: 'fields',
  },
]

/** The page `docs/guides/client.md`, made from the types of the client. */
export function printClientReference(): string {
  return [
    '# The client',
    '',
    '<!-- Made from the types of the client by npm run client:reference. -->',
    '',
    'Every option, method and event of `@entitlements-service/client`, for JavaScript and TypeScript. Begin with [Gate your first',
    'feature](gate-your-first-feature.md). [Caching and freshness](caching-and-freshness.md) says how old an answer can be.',
    '',
    '`entitlements.api` has a method for each operation of the REST API, named as in the [reference](generated-clients.md#what-to-know).',
    'The argument of a method is one object with the fields of path, query and body. You can read the lists, such as',
    '`entitlements.api.listSubscribers({ plan_id })`, with `for await`. Errors have a class for each [code](errors.md#in-the-client).',
    '',
    ...sections.flatMap(describeSection),
  ].join('\n')
}

function describeSection({ title, intro, of, as }: Section): string[] {
  const members = of.flatMap(([file, name]) => membersOf(file, name))
  return [`## ${title}`, '', intro, '', ...(as === 'methods' ? members.map(toItem) : toTable(members)), '']
}

type Member = { name: string; type: string; about: string }

/** Writes a list item. A method's type begins with its parameters, so no colon precedes it. */
function toItem({ name, type, about }: Member): string {
  return `- \`${name}${/^[<(]/.test(type) ? '' : ': '}${type}\`: ${about}`
}

function toTable(members: readonly Member[]): string[] {
  const rows = members.map(({ name, type, about }) => `| \`${name}\` | \`${type.replaceAll('|', '\\|')}\` | ${about} |`)
  return ['| Name | Type | |', '|---|---|---|', ...rows]
}

type Node = Span & { type: string; [name: string]: unknown }

/** The members of an exported type or class, with their comments. */
function membersOf(file: string, name: string): Member[] {
  const text = readFileSync(client + file, 'utf8')
  const { program, comments } = parseSync(file, text)
  const source = { text, comments }
  for (const statement of program.body as unknown as Node[]) {
    const declared = (statement.declaration ?? statement) as Node
    if ((declared.id as { name?: string } | undefined)?.name !== name) continue
    return membersIn(declared).flatMap((member) => toMember(member, source, name))
  }
  throw new Error(`${file} declares no ${name}.`)
}

/** The members of a class, an object type, or the object types in an intersection. */
function membersIn(node: Node): Node[] {
  if (node.type === 'ClassDeclaration') return ((node.body as Node).body ?? []) as Node[]
  if (node.type === 'TSTypeAliasDeclaration') return membersIn(node.typeAnnotation as Node)
  if (node.type === 'TSIntersectionType') return (node.types as Node[]).flatMap(membersIn)
  return (node.members ?? []) as Node[]
}

type Source = { text: string; comments: readonly Comment[] }

function toMember(member: Node, source: Source, owner: string): Member[] {
  const { type, name } = member.key as Node & { name: string }
  if (type === 'PrivateIdentifier' || name === 'constructor') return []
  const about = commentBefore(member, source)
  if (!about) throw new Error(`${owner}.${name} needs a comment: the page of the client shows it.`)
  return [{ name: member.optional ? `${name}?` : name, type: typeTextOf(member, source), about }]
}

/** The type of a field, or the parameters and the result of a method, in one line. */
function typeTextOf(member: Node, { text }: Source): string {
  const slice = ({ start, end }: Span) => text.slice(start, end)
  if (member.type === 'TSMethodSignature') return oneLine(text.slice((member.key as Span).end, member.end))
  if (member.type === 'MethodDefinition') {
    const { body } = member.value as { body: Span }
    return oneLine(text.slice((member.key as Span).end, body.start))
  }
  const { typeAnnotation } = member.typeAnnotation as { typeAnnotation: Span }
  return oneLine(slice(typeAnnotation))
}

function oneLine(text: string): string {
  return withoutComments(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(' | undefined', '')
    .replace(/^\| /, '')
    .replaceAll(/([([]) |,? (?=[)\]])/g, '$1')
    .trim()
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '')
}

/** The text of the comment directly before the member, in one paragraph. */
function commentBefore({ start }: Span, { text, comments }: Source): string {
  const comment = comments.findLast(({ end }) => end <= start)
  if (!comment?.value.startsWith('*') || text.slice(comment.end, start).trim() !== '') return ''
  return comment.value
    .replaceAll(/^\s*\*/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
