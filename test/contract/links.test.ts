import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'

const pages = ['README.md', ...globSync('src/*/README.md'), ...globSync('docs/**/*.md')]

it('each link in the documentation leads to an existing file and heading', () => {
  const links = pages.flatMap((page) => linksOf(page).map((link) => ({ page, link })))
  const broken = links.filter(({ page, link }) => !isValidLink(page, link))

  expect(pages.length).toBeGreaterThan(20)
  expect(links.length).toBeGreaterThan(50)
  expect(broken).toEqual([])
})

it.each([
  ['docs/development.md', true],
  ['docs/development.md#glossary', true],
  ['#the-console', true],
  ['docs/no-such-page.md', false],
  ['docs/development.md#no-such-heading', false],
])('%s is a valid link in the README: %s', (link, expected) => {
  expect(isValidLink('README.md', link)).toBe(expected)
})

function linksOf(page: string): string[] {
  return Array.from(readFileSync(page, 'utf8').matchAll(/\]\((?!https?:)([^)\s]+)\)/g), ([, link]) => link as string)
}

function isValidLink(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#')
  const file = path === '' ? page : normalize(join(dirname(page), path))
  if (!existsSync(file)) return false
  return heading === undefined || headingsOf(file).includes(heading)
}

/** The anchors that a forge generates from a page's headings. */
function headingsOf(file: string): string[] {
  return Array.from(readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm), ([, text = '']) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  )
}
