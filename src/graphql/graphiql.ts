import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { pageHeaders } from '../http/answer-headers.ts'
import { matchesEtag, toEtag } from '../http/etag.ts'
import { acceptedEncoding, prefersPage } from '../http/negotiation.ts'
import { graphqlTakesPost, sendError, sendNotModified } from '../http/reply.ts'

const defaultQuery = `# Paste this with your API key into the Headers tab
# below, and press the button:
#   { "X-API-Key": "ent_…" }
query Catalog {
  features { key name kind }
  plans { key name grants { feature kind limit value } }
}
`

/** On a phone, the answer is below the editors: beside them it would be a few letters wide. */
const narrowStyle = `@media (max-width: 720px) {
  .graphiql-container #graphiql-session { flex-direction: column; min-height: 0; }
  .graphiql-container .graphiql-editors, .graphiql-container .graphiql-response { min-height: 0; min-width: 0; }
  .graphiql-container .graphiql-horizontal-drag-bar, .graphiql-container .graphiql-logo { display: none; }
  .graphiql-container { --sidebar-width: 44px; }
  .graphiql-container .graphiql-sidebar { padding: 0; }
  .graphiql-container .graphiql-sessions { margin: 0; }
}`

/** Deletes the headers, including the API key, that earlier versions of the page stored in the browser. */
const forgetHeaders = `try {
  localStorage.removeItem('graphiql:headers')
  const tabs = JSON.parse(localStorage.getItem('graphiql:tabState'), (name, value) => (name === 'headers' ? null : value))
  if (tabs) localStorage.setItem('graphiql:tabState', JSON.stringify(tabs))
} catch {}`

/** Serves GraphiQL as one page of 9 MB, whose policy forbids loading from other hosts. */
export function serveGraphiql(app: FastifyInstance): void {
  let page: Promise<GraphiqlPage> | undefined

  app.get('/graphql', async (request, reply) => {
    // Only browsers get the page. It shows a document from its URL, but never runs it.
    if (!prefersPage(request)) return sendError(reply, graphqlTakesPost())
    page ??= createPage()
    const { html, compressed, policy, etag } = await page
    reply.headers({
      etag,
      vary: 'accept, accept-encoding',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': policy,
      ...pageHeaders,
    })
    if (matchesEtag(request.headers['if-none-match'], etag)) return sendNotModified(reply)
    reply.type('text/html; charset=utf-8')
    if (acceptedEncoding(request, ['gzip']) === undefined) return reply.send(html)
    return reply.header('content-encoding', 'gzip').send(compressed)
  })
}

/** The bytes that all answers share. */
type GraphiqlPage = { html: Buffer; compressed: Buffer; policy: string; etag: string }

/** Called at the first visit, because the module that renders the page takes 50 MB, and most servers never show it. */
async function createPage(): Promise<GraphiqlPage> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql')
  const html = renderGraphiQL({
    title: 'Entitlements · GraphiQL',
    defaultQuery,
    shouldPersistHeaders: false,
    endpoint: '/graphql',
  })
    .replace('</head>', () => `<meta name="viewport" content="width=device-width"><style>${narrowStyle}</style></head>`)
    .replace('<div id="root">', (root) => `<script>${forgetHeaders}</script>${root}`)
  return {
    html: Buffer.from(html),
    compressed: await promisify(gzip)(html),
    policy: policyOf(html),
    etag: toEtag(html),
  }
}

/** Allows only the page's own scripts, by their hashes; its editors need workers from blobs and inline styles. */
function policyOf(page: string): string {
  const scripts = Array.from(page.matchAll(/<script>([\s\S]*?)<\/script>/g), ([, text = '']) => text)
  const hashes = scripts.map((text) => `'sha256-${hash('sha256', text, 'base64')}'`).join(' ')
  return [
    "default-src 'none'",
    `script-src ${hashes} blob:`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    'font-src data:',
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
