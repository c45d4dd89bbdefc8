/*
 * The search of the guides. Runs in the browser on the index that the server built from the documents. `/` and Ctrl K focus
 * the field; the arrow keys select a result; Enter opens it; Escape clears the field. Screen readers announce the number of
 * results.
 */

const maxResults = 20

// The reference used to be at /docs: redirect old links to its new address.
if (location.pathname === '/docs' && location.hash && !document.getElementById(location.hash.slice(1))) {
  location.replace(`/docs/reference${location.hash}`)
}

const box = document.querySelector('search')
const field = document.getElementById('search')
const results = document.getElementById('results')
const count = results.querySelector('p')
const list = results.querySelector('ol')
const announcement = document.getElementById('announcement')

/** The index, which is loaded at the first search. */
let index

async function loadIndex() {
  const answer = await fetch('/docs/assets/search.json')
  if (!answer.ok) throw new Error(`The index could not be loaded: status ${answer.status}`)
  const items = await answer.json()
  return items.map((item) => ({
    ...item,
    lower: { page: item.page.toLowerCase(), heading: item.heading.toLowerCase(), text: item.text.toLowerCase() },
  }))
}

/** Scores how well an item matches the words; 0 if a word is missing. */
function scoreOf({ lower }, words) {
  let score = 0
  for (const word of words) {
    const found =
      (lower.heading.includes(word) ? (startsWord(lower.heading, word) ? 12 : 6) : 0) +
      (lower.page.includes(word) ? (startsWord(lower.page, word) ? 8 : 4) : 0) +
      (lower.text.includes(word) ? (startsWord(lower.text, word) ? 2 : 1) : 0)
    if (found === 0) return 0
    score += found
  }
  return lower.text.includes(words.join(' ')) ? score + 2 : score
}

function startsWord(text, word) {
  return text.startsWith(word) || /[^\p{L}\p{N}]/u.test(text[text.indexOf(word) - 1] ?? 'a')
}

function find(items, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return { words, found: [] }
  const found = items
    .map((item) => ({ item, score: scoreOf(item, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
  return { words, found: found.map(({ item }) => item) }
}

async function search() {
  const query = field.value
  if (query.trim() === '') return show(null)
  index ??= loadIndex()
  try {
    const items = await index
    // If the person has typed more, a later call shows the results.
    if (field.value === query) show(find(items, query))
  } catch {
    index = undefined
    say('The search is not available. Reload the page to try again.')
    results.hidden = false
  }
}

function show(answer) {
  results.hidden = answer === null
  list.replaceChildren(...(answer?.found.slice(0, maxResults).map((item) => toEntry(item, answer.words)) ?? []))
  say(answer === null ? '' : wordsFor(answer.found.length))
}

function wordsFor(number) {
  if (number === 0) return 'No result contains all of these words.'
  if (number === 1) return '1 result'
  return number > maxResults ? `${number} results, of which the best ${maxResults} are shown` : `${number} results`
}

function say(text) {
  count.textContent = text
  announcement.textContent = text
}

function toEntry({ page, heading, url, text }, words) {
  const link = document.createElement('a')
  link.href = url
  const title = document.createElement('strong')
  title.append(...marked(heading || page, words))
  link.append(title)
  if (heading) {
    const where = document.createElement('span')
    where.textContent = page
    link.append(' ', where)
  }
  const excerpt = document.createElement('p')
  excerpt.append(...marked(excerptOf(text, words), words))
  const item = document.createElement('li')
  item.append(link, excerpt)
  return item
}

/** The text around the first matching word. */
function excerptOf(text, words) {
  const positions = words.map((word) => text.toLowerCase().indexOf(word)).filter((position) => position >= 0)
  const start = Math.max(0, Math.min(...positions, text.length) - 60)
  const from = start === 0 ? 0 : text.indexOf(' ', start) + 1
  const part = text.slice(from, from + 200)
  return `${from > 0 ? '… ' : ''}${part}${from + 200 < text.length ? ' …' : ''}`
}

/** Splits the text into pieces, and puts each of the words into a `mark` element. */
function marked(text, words) {
  const signs = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return text.split(new RegExp(`(${signs.join('|')})`, 'i')).map((piece, index) => {
    if (index % 2 === 0) return piece
    const mark = document.createElement('mark')
    mark.textContent = piece
    return mark
  })
}

function step(by) {
  const links = Array.from(list.querySelectorAll('a'))
  const next = links.indexOf(document.activeElement) + by
  if (next < 0) field.focus()
  else links[Math.min(next, links.length - 1)]?.focus()
}

function isTyping({ target }) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}

function clear() {
  field.value = ''
  show(null)
  field.focus()
}

document.addEventListener('keydown', (event) => {
  const isShortcut = (event.key === '/' && !isTyping(event)) || (event.key === 'k' && (event.ctrlKey || event.metaKey))
  const isInside = box.contains(event.target) || results.contains(event.target)
  if (isShortcut) field.focus()
  else if (!isInside) return
  else if (event.key === 'ArrowDown') step(1)
  else if (event.key === 'ArrowUp') step(-1)
  else if (event.key === 'Escape') clear()
  else if (event.key === 'Enter' && event.target === field) list.querySelector('a')?.click()
  else return
  event.preventDefault()
})
results.addEventListener('click', ({ target }) => {
  // A link to a section of this page only scrolls, so the results would stay and cover the section.
  if (target.closest('a')) show(null)
})
field.addEventListener('input', search)
// The page hides the search box until this script runs, because the box needs it.
box.hidden = false
