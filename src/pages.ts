import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

const style = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; color: #222 }
  h1 { font-size: 1.4rem }
  pre { background: #f4f4f4; padding: 0.8rem; overflow-x: auto }
  @media (prefers-color-scheme: dark) { body { background: #191919; color: #ddd } pre { background: #262626 } a { color: #8ab4f8 } }
`

const home = (graphiql: boolean) => `
  <h1>Entitlements Service</h1>
  <p>This server answers which features a subscriber may use, and how much of them. It has no page for people here: programs
  talk to it, with an API key.</p>
  <ul>
    <li>REST below <code>/org</code>: the <a href="/docs">reference</a>, also as <a href="/openapi.json">OpenAPI</a></li>
    <li>GraphQL at ${graphiql ? '<a href="/graphql"><code>/graphql</code></a>, where a browser shows GraphiQL' : '<code>/graphql</code>'}</li>
    <li>Ready? <a href="/readyz"><code>/readyz</code></a></li>
  </ul>
  <p>The README of the service has a tour in five minutes. <code>npm run org:create</code> on the server makes an organization
  with an API key.</p>`

const join = `
  <h1>You are invited to an organization</h1>
  <p>Your invite is the part of this page’s address that begins with <code>inv_</code>. Keep it to yourself: whoever has it may
  join, once. It takes three commands, with <code>API</code> set to the address of this server.</p>
  <p>Sign up, or sign in at <code>/user/sign-in</code> if you have an account:</p>
  <pre>curl -s $API/user/sign-up --json '{"email":"you@example.org","password":"…","display_name":"You","invite":"inv_…"}'</pre>
  <p>Join, with the <code>token</code> of the answer:</p>
  <pre>curl -s $API/user/organizations/join -H "Authorization: Bearer $TOKEN" --json '{"invite":"inv_…"}'</pre>
  <p>See where you are a member:</p>
  <pre>curl -s $API/user/organizations -H "Authorization: Bearer $TOKEN"</pre>`

/** What people see when they open the server, or an invite's link, in a browser. Every other client gets a 404 there. */
export function servePages(app: FastifyInstance, { graphiql }: { graphiql: boolean }): void {
  servePage(app, '/', 'Entitlements Service', home(graphiql))
  servePage(app, '/join', 'Invite · Entitlements Service', join)
}

function servePage(app: FastifyInstance, path: string, title: string, body: string): void {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${style}</style>
</head>
<body>${body}
</body>
</html>
`
  app.get(path, (request, reply) => {
    reply.header('vary', 'accept')
    if (!request.headers.accept?.includes('text/html')) return reply.callNotFound()
    return reply.headers(headers).type('text/html; charset=utf-8').send(html)
  })
}

/** Runs no script and loads nothing; the address, which may contain an invite, is not sent anywhere. */
const headers = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
}
