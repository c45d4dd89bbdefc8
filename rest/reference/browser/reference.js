/* Shows the description of the REST API. Everything comes from this server, and test requests go to it. */

const content = await (await fetch('/openapi.json')).json()

// Links of the guides name an operation, an object or a part of the page: #createPlan, #Plan, #events.
goToAnchor()
addEventListener('hashchange', goToAnchor)

window.Scalar.createApiReference('#reference', {
  content,
  // An operation's anchor is its id, because later versions keep it.
  generateOperationSlug: ({ operationId, method, path }) => operationId ?? `${method}${path}`,
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  withDefaultFonts: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  // Scalar's own grays, and its colors for methods, have too little contrast.
  customCss: `
    .light-mode {
      --scalar-color-3: #666; --scalar-color-green: #00734a; --scalar-color-blue: #0060a8;
      --scalar-color-yellow: #7d5f00; --scalar-color-red: #c40000; --scalar-color-orange: #a84300;
    }
    .dark-mode { --scalar-color-3: #949494; --scalar-color-red: #ff7070 }
  `,
  persistAuth: false,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
})

function goToAnchor() {
  const anchor = findAnchor(decodeURIComponent(location.hash.slice(1)))
  if (anchor) location.replace(`#${anchor}`)
}

function findAnchor(name) {
  for (const methods of Object.values(content.paths)) {
    for (const { operationId, tags } of Object.values(methods)) {
      if (operationId === name) return `tag/${toSlug(tags[0])}/${name}`
    }
  }
  if (name in content.components.schemas) return `models/${name}`
  return { events: 'tag/webhook', objects: 'models', errors: 'models' }[name] ?? null
}

function toSlug(text) {
  return text.toLowerCase().replaceAll(' ', '-')
}
