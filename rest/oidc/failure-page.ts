import { pageHeaders } from '../../src/http/answer-headers.ts'
import { html } from '../html.ts'

type Failure = {
  /** Why the person could not be signed in, and what to do next. */
  text: string
  /** The address where the sign-in can be started again. */
  again: string
  requestId: string
}

/** The page for a person in a browser who could not be signed in. */
export function renderFailure({ text, again, requestId }: Failure): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not signed in · Entitlements</title>
<link rel="icon" type="image/svg+xml" href="/assets/icon.svg">
<link rel="stylesheet" href="/docs/assets/style.css">
</head>
<body>
<main id="content">
<h1>You are not signed in</h1>
<p>${text}</p>
<p><a href="${again}">Try again</a> · <a href="/sign-in">Other ways to sign in</a></p>
<p>If it happens again, send this id to the operator of this server: <code>${requestId}</code></p>
</main>
</body>
</html>
`.text
}

export const failureHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ...pageHeaders,
}
