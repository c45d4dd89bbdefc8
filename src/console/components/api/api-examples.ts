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

/** As one word of a shell, whatever it holds. */
export function quote(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
