import { Marked, type MarkedExtension, Renderer, type Tokens } from 'marked'
import { Html, html } from '../html.ts'
import { addressOf, targetOf } from './addresses.ts'
import { createAnchorNumbering, toAnchor, withoutMarkdown } from './headings.ts'

/** The pages of this server that a document may link to. */
export type Links = {
  /** Whether this server has a page for the file. */
  isServed(file: string): boolean
  /** The address of the operation that a piece of code names, such as `POST /org/plans`; undefined if it names none. */
  findNamedAddress(code: string): string | undefined
}

export type Rendered = { title: string; html: string }

/** Renders a document of this repository. Shows HTML as text, and leaves out HTML comments. */
export function renderMarkdown(text: string, file: string, links: Links): Rendered {
  const marked = new Marked({ renderer: rendererFor(file, links) })
  return { title: titleOf(text), html: marked.parse(text, { async: false }) }
}

function titleOf(text: string): string {
  return withoutMarkdown(/^# (.+)$/m.exec(text)?.[1] ?? '')
}

function rendererFor(file: string, links: Links): MarkedExtension['renderer'] {
  const nextAnchor = createAnchorNumbering()
  return {
    heading({ tokens, depth, text }) {
      const anchor = nextAnchor(text)
      const inner = this.parser.parseInline(tokens)
      // A heading that already contains a link cannot be a link itself.
      const isLink = depth > 1 && !inner.includes('<a ')
      return `<h${depth} id="${anchor}">${isLink ? `<a href="#${anchor}">${inner}</a>` : inner}</h${depth}>\n`
    },
    // Code and tables may scroll sideways, so they must be reachable by keyboard.
    code: ({ text, lang }) =>
      lang === 'console' ? consoleBlock(text) : html`<pre tabindex="0"><code>${text}</code></pre>\n`.text,
    table(token) {
      return `<div class="table" tabindex="0">${Renderer.prototype.table.call(this, token)}</div>\n`
    },
    tablecell(token) {
      // An empty header becomes an ordinary cell, because a screen reader would have nothing to announce.
      const name = token.header && token.text !== '' ? 'th scope="col"' : 'td'
      return `<${name}>${this.parser.parseInline(token.tokens)}</${name.slice(0, 2)}>\n`
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    html: ({ text }) => (text.trimStart().startsWith('<!--') ? '' : html`${text}`.text),
    codespan({ text }) {
      const address = links.findNamedAddress(text)
      return address ? html`<a href="${address}"><code>${text}</code></a>`.text : html`<code>${text}</code>`.text
    },
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens)
      const target = targetOf(href, file)
      if (target.file === null) return renderLink(href, inner)
      if (target.file === file) return renderLink(target.anchor, inner)
      if (links.isServed(target.file)) return renderLink(addressOf(target.file) + target.anchor, inner)
      return html`${new Html(inner)} (<code>${target.file}</code> in the repository)`.text
    },
  }
}

/**
 * Renders commands, which follow `$ `, with their output. Only commands can be copied. Long lines wrap, so the block does not
 * scroll.
 */
function consoleBlock(text: string): string {
  const lines = text.split('\n').map((line) => {
    return line.startsWith('$ ') ? html`<span>$ </span>${line.slice(2)}\n` : html`<samp>${line}</samp>\n`
  })
  return html`<pre class="console"><code>${lines}</code></pre>\n`.text
}

function renderLink(href: string, inner: string): string {
  return html`<a href="${href}">${new Html(inner)}</a>`.text
}

export type Section = { heading: string; anchor: string; text: string }

/** The sections of a document as text for the search. The lexer ignores headings in fenced code. */
export function sectionsOf(text: string): Section[] {
  const nextAnchor = createAnchorNumbering()
  const sections: Section[] = []
  for (const token of new Marked().lexer(text)) {
    if (token.type === 'heading') {
      sections.push({ heading: withoutMarkdown(token.text), anchor: nextAnchor(token.text), text: '' })
    } else {
      const section = sections.at(-1)
      if (section) section.text = `${section.text} ${withoutMarkdown(token.raw)}`.trim()
    }
  }
  return sections
}

type Entry = { title: string; href: string }
export type Group = { title: string; anchor: string; entries: Entry[] }

/** The headings of a front page, each with the documents that its lists link to. */
export function groupsOf(text: string): Group[] {
  const groups: Group[] = []
  for (const token of new Marked().lexer(text)) {
    if (token.type === 'heading' && token.depth === 2) {
      groups.push({ title: withoutMarkdown(token.text), anchor: toAnchor(token.text), entries: [] })
    } else if (token.type === 'list') {
      const entries = (token as Tokens.List).items.flatMap(entryOf)
      groups.at(-1)?.entries.push(...entries)
    }
  }
  return groups.filter(({ entries }) => entries.length > 0)
}

/** The entry for the link at the beginning of a list item; empty if the item does not begin with a link. */
function entryOf({ text }: Tokens.ListItem): Entry[] {
  const [, title, href] = /^\[([^\]]+)\]\(([^)]+)\)/.exec(text) ?? []
  return title && href ? [{ title, href }] : []
}
