import { pageHeaders } from '../../src/http/answer-headers.ts'
import { Html, html } from '../html.ts'

const style = `
@font-face { font-family: "Inter Variable"; src: url("/docs/assets/inter.woff2") format("woff2"); font-weight: 100 900; font-display: swap }
:root { color-scheme: light dark; --scalar-font: "Inter Variable", system-ui, sans-serif; --scalar-font-code: ui-monospace, monospace }
body { margin: 0; font: 16px/1.6 "Inter Variable", system-ui, sans-serif; background: light-dark(#fff, #0f0f0f) }
nav { display: flex; gap: 1rem; padding: .5rem 1rem }
`

/** The page of the REST reference. Its script shows `/openapi.json` with Scalar's API reference. */
export function renderReference(): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reference · Entitlements Service</title>
<link rel="icon" type="image/svg+xml" href="/assets/icon.svg">
<style>${new Html(style)}</style>
<script defer src="/docs/assets/scalar.js"></script>
<script type="module" src="/docs/assets/reference.js"></script>
</head>
<body>
<nav aria-label="Other pages"><a href="/docs">Guides</a> <a href="/openapi.json">openapi.json</a> <a href="/openapi-3.0.json">openapi-3.0.json</a> <a href="/">Console</a></nav>
<div id="reference"></div>
<noscript>This page needs JavaScript. <a href="/openapi.json">openapi.json</a> describes the same operations, and <a href="/llms.txt">llms.txt</a> lists the guides as text.</noscript>
</body>
</html>
`.text
}

/** Allows only this server's scripts, and requests to this server. Styles may be inline, because Scalar adds its own. */
export const referenceHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  ...pageHeaders,
}
