/** The same request for programs, as REST and as GraphQL. */
export type ApiExample = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  path: string
  body?: unknown
  /** The GraphQL document with its variables. */
  graphql: { document: string; variables?: unknown }
}

const placeholder = '$ENTITLEMENTS_KEY'

/** A command to paste, with a placeholder where the API key goes. */
export function toCurl(origin: string, { method, path, body }: ApiExample): string {
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quote(`${origin}${path}`)}`,
    `  -H "X-API-Key: ${placeholder}"`,
  ]
  if (body !== undefined) lines.push(`  --json ${quote(JSON.stringify(body))}`)
  return lines.join(' \\\n')
}

export function toGraphqlCurl(origin: string, { graphql: { document, variables } }: ApiExample): string {
  const body = JSON.stringify({
    query: document.replace(/\s+/g, ' ').trim(),
    ...(variables !== undefined && { variables }),
  })
  return [`curl ${quote(`${origin}/graphql`)}`, `  -H "X-API-Key: ${placeholder}"`, `  --json ${quote(body)}`].join(
    ' \\\n',
  )
}

/** Quotes the text as one word of a shell. */
export function quote(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

type Write = Omit<ApiExample, 'graphql'> & {
  /** The GraphQL field; its input has the same name. */
  mutation: string
  /** In the names of GraphQL. */
  input?: Record<string, unknown>
  /** The fields to answer; a delete answers its id by itself. */
  answer?: string
}

/** A write, by the names that all writes follow. */
export function writeExample({ mutation, input, answer, ...rest }: Write): ApiExample {
  const name = mutation.charAt(0).toUpperCase() + mutation.slice(1)
  const [declared, given] = input ? [`($input: ${name}Input!)`, '(input: $input)'] : ['', '']
  const document = `mutation ${name}${declared} { ${mutation}${given}${answer ? ` { ${answer} }` : ''} }`
  return { ...rest, graphql: { document, ...(input && { variables: { input } }) } }
}

/** A path of the REST API whose braces are `values`, in order. */
export function pathOf(template: string, ...values: string[]): string {
  return template.replace(/\{\w+\}/g, () => encodeURIComponent(values.shift() ?? ''))
}
