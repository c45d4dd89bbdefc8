import { createHash } from 'node:crypto'
import type { JsonSchema } from '../../src/core/input-schema.ts'
import { pageHeaders } from '../../src/http/answer-headers.ts'
import type { OpenApiDocument } from '../openapi/document.ts'
import { findLinked, findReferred } from './components.ts'
import { eventsPart } from './event-section.ts'
import { Html, html, prose } from './html.ts'
import { type Described, operationSection } from './operation-section.ts'
import { style } from './style.ts'
import { fieldsOf } from './tables.ts'

/** The reference of the REST API, as a page that loads nothing else. */
export function renderReference(document: OpenApiDocument): string {
  const groups = document.tags.map((tag) => ({
    ...tag,
    id: toId(tag.name),
    operations: operationsOf(document, tag.name),
  }))
  const linked = findLinked(document)
  const errors = findReferred(document.components.responses)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Reference · ${document.info.title}</title>
<style>${new Html(style)}</style>
</head>
<body>
<header>
<h1>${document.info.title}: reference of the REST API</h1>
<p>${prose(document.info.description)}</p>
<p>The same in machine-readable form: <a href="/openapi.json">openapi.json</a>, in OpenAPI ${document.openapi}, and <a href="/openapi-3.0.json">openapi-3.0.json</a>, for generators that read only OpenAPI 3.0. <a href="/docs">Guides</a> show how to use it.</p>
<p>In the examples <code>API</code> is the address of this server, <code>KEY</code> an API key, <code>TOKEN</code> a personal token.</p>
</header>
<nav aria-label="Operations">${groups.map(navOf)}
<p><a href="#events">Events</a></p><p><a href="#objects">Objects</a></p><p><a href="#errors">Errors</a></p>
</nav>
<main>
${groups.map(
  ({ id, name, description, operations }) => html`<h2 id="${id}">${name}</h2>
<p>${description}</p>
${operations.map((operation) => operationSection(operation, document))}`,
)}
${eventsPart(document)}
${componentsPart('objects', 'Objects', document, (name) => linked.has(name) && !errors.has(name))}
${componentsPart('errors', 'Errors', document, (name) => errors.has(name))}
</main>
</body>
</html>
`.text
}

/** The page may run no script and load nothing. */
export const referenceHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  ...pageHeaders,
}

type Group = { id: string; name: string; description: string; operations: Described[] }

function operationsOf({ paths }: OpenApiDocument, tag: string): Described[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

function navOf({ id, name, operations }: Group): Html {
  const links = operations.map(
    ({ operation: { operationId, summary } }) => html`<li><a href="#${operationId}">${toHeading(summary)}</a></li>`,
  )
  return html`<details><summary>${name}</summary><ul><li><a href="#${id}">About</a></li>${links}</ul></details>
`
}

/** The first clause of a summary, without its full stop. */
function toHeading(summary: string): string {
  return summary.split(/[.:;,]/, 1)[0] as string
}

function toId(name: string): string {
  return `noun-${name.toLowerCase().replaceAll(' ', '-')}`
}

function componentsPart(
  id: string,
  title: string,
  document: OpenApiDocument,
  isShown: (name: string) => boolean,
): Html {
  const shown = Object.entries(document.components.schemas).filter(([name]) => isShown(name))
  const sections = shown.map(
    ([name, schema]) => html`<section id="${name}">
<h3><a href="#${name}">${name}</a></h3>
<p>${String((schema as JsonSchema).description ?? '')}</p>
${fieldsOf(schema as JsonSchema, document)}
</section>
`,
  )
  return html`<h2 id="${id}">${title}</h2>
${sections}`
}
