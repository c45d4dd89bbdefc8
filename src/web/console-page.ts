import { randomBytes } from 'node:crypto'
import { pageHeaders } from '../http/answer-headers.ts'

/** The console's single document, with its headers. */
type ConsolePage = { status: number; html: string; headers: Record<string, string> }

/** Call this for each answer, because each needs its own nonce. `template` is null without a build. */
export function makeConsolePage(template: string | null): ConsolePage {
  const nonce = randomBytes(16).toString('base64')
  if (template === null) return { status: 503, html: missingBuild, headers: headersWith(nonce) }
  return { status: 200, html: template.replaceAll('%NONCE%', nonce), headers: headersWith(nonce) }
}

const missingBuild = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Entitlements</title>
<h1>The console is not built</h1>
<p>Run <code>npm run console:build</code> in the folder of the service, and reload this page. Both APIs work without it.</p>
</html>
`

/**
 * Only the console's own scripts may run. Mantine writes its variables into style elements, which have the nonce of this
 * answer. The page's address, which may contain an invite, is never sent to other sites.
 */
function headersWith(nonce: string): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "font-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ].join('; '),
    ...pageHeaders,
  }
}
