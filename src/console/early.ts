import { sendEarly, toBody } from './api/early-requests.ts'
import type { TypedDocument } from './api/typed-document.ts'
import { sendFirstReads } from './first-reads.ts'

/*
 * Runs before the first paint, and before the console's own scripts are loaded: chooses the color scheme, so that a dark page
 * does not flash white, and sends the page's first reads. It is a separate file, because the page's content security policy
 * allows no inline script.
 */

const chosen = localStorage.getItem('console:color-scheme')
const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')

function read<Result, Variables>(
  organizationId: string | null,
  document: TypedDocument<Result, Variables>,
  variables: Variables,
): void {
  sendEarly({ organizationId, body: toBody(document, variables) })
}

sendFirstReads(location, new Date(), read)
