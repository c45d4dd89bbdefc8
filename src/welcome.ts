type ServiceToDescribe = {
  /** The address for people: PUBLIC_URL, or the address of the port. */
  url: string
  listeningAt: string
  graphiql: boolean
  /** The data folder of the embedded PostgreSQL; null with DATABASE_URL. */
  dataDir: string | null
  /** Whether webhooks are sent. */
  delivers: boolean
}

const noDelivery =
  'No webhooks are sent (--no-delivery): events are queued, and are sent once the service starts without this option.'

/** The text in the terminal after a separate worker has started. */
export function describeWorker(delivers: boolean): string {
  return delivers
    ? 'The worker sends events and notifies receivers of overrides that expire.'
    : `The worker notices overrides that expire.\n${noDelivery}`
}

/** The text in the terminal once the server answers. */
export function describeService({ url, listeningAt, graphiql, dataDir, delivers }: ServiceToDescribe): string {
  const rows = [
    ...(url === listeningAt ? [] : [['Listening', listeningAt]]),
    ['Console', url],
    ['Guides', `${url}/docs`],
    ['REST', `${url}/org`],
    ['GraphQL', `${url}/graphql${graphiql ? '   (open it in a browser for GraphiQL)' : ''}`],
    ['Database', dataDir === null ? 'from DATABASE_URL' : `embedded PostgreSQL, data in ${dataDir}`],
  ]
  const lines = rows.map(([name = '', value]) => `  ${name.padEnd(11)}${value}`)
  const notes = delivers ? [] : [noDelivery, '']
  return ['', 'The Entitlements Service is running. Ctrl-C stops it.', '', ...lines, '', ...notes, ''].join('\n')
}

/** The text if the database is not embedded in this process, and has no organization. */
export function describeMissingOrganization(): string {
  return `There is no organization yet. To create one, with an admin key: npm run org:create -- --name NAME
`
}

/** The text of the first start: the new organization's key and invite, shown only once, and a request to paste. */
export function describeFirstSteps(first: {
  url: string
  apiKey: string
  inviteLink: string
  graphiql: boolean
}): string {
  const { url, apiKey, inviteLink, graphiql } = first
  const isSocket = url.startsWith('unix:')
  const address = isSocket ? 'http://localhost' : url
  const target = isSocket ? `--unix-socket ${url.slice('unix:'.length)} ${address}` : address
  const headers = `In GraphiQL (${address}/graphql), put this into the headers:

  { "X-API-Key": "${apiKey}" }

`
  return `This is the first start: an organization was created for you. Its admin key, shown only once:

  ${apiKey}

Paste this to define a first feature:

  curl -X POST ${target}/org/features \\
    -H 'X-API-Key: ${apiKey}' \\
    -H 'Content-Type: application/json' \\
    -d '{"key": "sso", "name": "Single sign-on", "kind": "flag"}'

${graphiql ? headers : ''}This link lets you join the organization as its first admin, within 7 days:

  ${inviteLink}
`
}
