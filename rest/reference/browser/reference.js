import { createApiReference } from './standalone.esm.js'

/*
 * Shows the description of the REST API. Everything comes from this server, and requests that somebody tries out go to it.
 */

const content = await (await fetch('/openapi.json')).json()

// Links of the guides name an operation, an object or a part of the page: #createPlan, #Plan, #events.
const anchor = decodeURIComponent(location.hash.slice(1))
const place = findPlace(anchor)
if (place) history.replaceState(null, '', `#${place}`)

createApiReference('#reference', {
  content,
  // An operation's anchor is its id, which stays.
  generateOperationSlug: ({ operationId, method, path }) => operationId ?? `${method}${path}`,
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  withDefaultFonts: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  persistAuth: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
})

function findPlace(name) {
  for (const methods of Object.values(content.paths)) {
    for (const { operationId, tags } of Object.values(methods)) {
      if (operationId === name) return `tag/${toSlug(tags[0])}/${name}`
    }
  }
  return name in content.components.schemas ? `model/${name.toLowerCase()}` : null
}

function toSlug(text) {
  return text.toLowerCase().replaceAll(' ', '-')
}
