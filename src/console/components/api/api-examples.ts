/** A request of the console as programs would send it, to the REST API and as GraphQL. */
export type ApiExample = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  path: string
  body?: unknown
  /** The GraphQL document with its variables. */
  graphql: { document: string; variables?: unknown }
}

const apiKeyPlaceholder = '$ENTITLEMENTS_API_KEY'

/** A command to paste, with a placeholder where the API key goes. */
export function toCurl(origin: string, { method, path, body }: ApiExample): string {
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quote(`${origin}${path}`)}`,
    `  -H "X-API-Key: ${apiKeyPlaceholder}"`,
  ]
  if (body !== undefined) lines.push(`  --json ${quote(JSON.stringify(body))}`)
  return lines.join(' \\\n')
}

export function toGraphqlCurl(origin: string, { graphql: { document, variables } }: ApiExample): string {
  const body = JSON.stringify({
    query: document.replace(/\s+/g, ' ').trim(),
    ...(variables !== undefined && { variables }),
  })
  return [
    `curl ${quote(`${origin}/graphql`)}`,
    `  -H "X-API-Key: ${apiKeyPlaceholder}"`,
    `  --json ${quote(body)}`,
  ].join(' \\\n')
}

/** Quotes the text so that a shell reads it as one word. */
export function quote(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

type Write = {
  /** The route as in the reference: "PATCH /org/features/{key}". */
  route: `${ApiExample['method']} ${string}`
  /** The GraphQL field; its input has the same name. */
  mutation: string
  /** The fields of the input, in GraphQL's names. */
  input?: Record<string, unknown>
  /** The fields to return; a delete always returns its id. */
  answer?: string
  /** The body for REST, if its shape differs from the input. */
  body?: object
}

/** Returns the example of a write. Its body has the values that are not in the path. */
export function writeExample({ route, mutation, input, answer, body }: Write): ApiExample {
  const [method, template] = route.split(' ') as [ApiExample['method'], string]
  const values = Object.entries(toRest(input ?? {}))
  const bodyValues = values.filter(([name]) => !template.includes(`{${name}}`))
  const name = mutation.charAt(0).toUpperCase() + mutation.slice(1)
  const [variableList, argumentList] = input ? [`($input: ${name}Input!)`, '(input: $input)'] : ['', '']
  return {
    method,
    path: fillIn(template, input),
    ...(bodyValues.length > 0 && { body: body ?? Object.fromEntries(bodyValues) }),
    graphql: {
      document: `mutation ${name}${variableList} { ${mutation}${argumentList}${answer ? ` { ${answer} }` : ''} }`,
      ...(input && { variables: { input } }),
    },
  }
}

/** Returns the example of a read. The variables of the document also fill in the parameters of the path. */
export function readExample(path: string, document: string, variables?: Record<string, unknown>): ApiExample {
  return { method: 'GET', path: fillIn(path, variables), graphql: { document, ...(variables && { variables }) } }
}

function fillIn(template: string, values: Record<string, unknown> = {}): string {
  const restValues = toRest(values)
  return template.replace(/\{(\w+)\}/g, (_braces, name: string) => encodeURIComponent(String(restValues[name])))
}

const enumFields = ['environment', 'kind', 'role', 'status', 'valueType']

/** Uses the names of the REST API, which writes enums in lower case. */
function toRest(input: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      enumFields.includes(name) && typeof value === 'string' ? value.toLowerCase() : value,
    ]),
  )
}
