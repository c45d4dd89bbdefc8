import { pageHeaders } from '../../src/http/answer-headers.ts'
import { Html, html, renderInlineCode } from '../html.ts'
import { addressOf, frontPageFile, targetOf } from './addresses.ts'
import type { Documents } from './documents.ts'
import { type Links, renderMarkdown, sectionsOf } from './markdown.ts'

/** Renders a document as a page, with the list of guides and the search. */
export function renderPage(file: string, { texts, groups }: Documents, links: Links): string {
  const text = texts.get(file) as string
  const { title, html: body } = renderMarkdown(text, file, links)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${file === frontPageFile ? 'Guides' : title} · Entitlements Service</title>
<link rel="icon" type="image/svg+xml" href="/assets/icon.svg">
<link rel="alternate" type="text/markdown" href="/${file}">
<link rel="stylesheet" href="/docs/assets/style.css">
<script type="module" src="/docs/assets/search.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="home" href="/docs">Entitlements <span>Guides</span></a>
<search hidden><label for="search">Search the guides</label><input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="Search"><kbd aria-hidden="true">/</kbd></search>
<nav aria-label="Other pages"><a href="/docs/reference">REST reference</a> <a href="/">Console</a></nav>
</header>
<section id="results" aria-label="Results" hidden><p></p><ol></ol></section>
<p id="announcement" class="unseen" role="status"></p>
<nav class="guides" aria-label="Guides">${groups.map(
    ({ title, entries }) => html`<h2>${title}</h2>
<ul>${entries.map((entry) => navEntry(entry.title, targetOf(entry.href, frontPageFile).file as string, file, text))}</ul>
`,
  )}</nav>
<main id="content" tabindex="-1">
${new Html(body)}
<footer><a href="/${file}">This page as Markdown</a></footer>
</main>
</body>
</html>
`.text
}

/** The entry of the current page also lists its headings. */
function navEntry(title: string, file: string, current: string, text: string): Html {
  if (file !== current) return html`<li><a href="${addressOf(file)}">${renderInlineCode(title)}</a></li>`
  const [, ...sections] = sectionsOf(text)
  const inner = html`<ul>${sections.map(({ heading, anchor }) => html`<li><a href="#${anchor}">${heading}</a></li>`)}</ul>`
  return html`<li><a href="${addressOf(file)}" aria-current="page">${renderInlineCode(title)}</a>${sections.length > 0 && inner}</li>`
}

/** Allows only this server's own script, style and font. */
export const docsHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  ...pageHeaders,
}
