import type { Page, Request } from 'playwright-core'

/** Hides the caret, and stops everything that moves. */
const style = `
  *, *::before, *::after { animation: none !important; transition: none !important; caret-color: transparent !important; }
`

/**
 * The replacements that make ids, keys, addresses and times the same in every picture. They are applied before each picture,
 * because React may have written the texts again.
 */
const replacements: readonly [pattern: string, flags: string, fixed: string][] = [
  ['[0-7][0-9A-HJKMNP-TV-Z]{25}', 'g', '01ARZ3NDEKTSV4RRFFQ69G5FAV'],
  ['[0-7][0-9A-HJKMNP-TV-Z]{6}…[0-9A-HJKMNP-TV-Z]{6}', 'g', '01ARZ3N…9G5FAV'],
  ['\\b(ent|whsec|ses|inv|st)_[A-Za-z0-9_-]{6,}', 'g', '$1_Ab12Cd34'],
  ['just now|\\b\\d+ min ago', 'g', '10 min ago'],
  ['\\.\\d{3}Z', 'g', '.000Z'],
  ['127\\.0\\.0\\.1:\\d+', 'g', '127.0.0.1:3000'],
]

/** A picture of the window, or only of an open drawer or dialog. */
export async function takePicture(page: Page): Promise<Buffer> {
  await page.evaluate(applyStyle, style)
  await page.evaluate(fixTexts, replacements)
  const dialogs = await page.getByRole('dialog').all()
  const clip = await dialogs.at(-1)?.boundingBox()
  return page.screenshot({ animations: 'allow', caret: 'initial', ...(clip && { clip }) })
}

/** Applies the style with a constructed style sheet, which the page's content security policy does not forbid. */
function applyStyle(style: string): void {
  if (document.adoptedStyleSheets.length > 0) return
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  document.adoptedStyleSheets = [sheet]
}

function fixTexts(patterns: readonly (readonly [string, string, string])[]): void {
  const fix = (text: string) =>
    patterns.reduce((fixed, [pattern, flags, to]) => fixed.replace(new RegExp(pattern, flags), to), text)
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    const fixed = fix(node.nodeValue ?? '')
    if (fixed !== node.nodeValue) node.nodeValue = fixed
  }
  for (const input of document.querySelectorAll('input, textarea') as NodeListOf<HTMLInputElement>) {
    const fixed = fix(input.value)
    if (fixed !== input.value) input.value = fixed
  }
}

/** How long a page's requests may take, on a busy machine. */
const patienceMs = 60_000

/** Watches the page's requests. The returned function resolves when none is running and the page is drawn completely. */
export function watchRequests(page: Page): () => Promise<void> {
  const waiting = new Set<Request>()
  page.on('request', (request) => void waiting.add(request))
  page.on('requestfinished', (request) => void waiting.delete(request))
  page.on('requestfailed', (request) => void waiting.delete(request))
  return async function untilComplete() {
    const deadline = performance.now() + patienceMs
    do {
      while (waiting.size > 0) {
        if (performance.now() > deadline)
          throw new Error(`Unanswered: ${Array.from(waiting, (request) => request.url()).join(', ')}`)
        await page.waitForTimeout(10)
      }
      await page.evaluate(async () => {
        await document.fonts.ready
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      })
    } while (waiting.size > 0)
  }
}
