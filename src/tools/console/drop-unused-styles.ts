import { createHash } from 'node:crypto'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type SelectorComponent, transform } from 'lightningcss'

/** The classes of Mantine's components; the scripts that use a component contain its classes. */
const mantineClass = /^m_[\da-f]+$/

/** The variables of those Mantine colors that neither the theme nor a component uses. */
const unusedColor = /--mantine-color-(?:pink|grape|violet|indigo|cyan|green|lime|yellow|orange)-/

/**
 * Mantine's stylesheet covers all its components and colors; this drops the rules of components that no script of the build
 * contains, and the variables of unused colors. Renames the stylesheet, since browsers cache each name for a year.
 */
export async function dropUnusedStyles(folder: string): Promise<void> {
  const assets = join(folder, 'assets')
  const names = await readdir(assets)
  const scripts = await Promise.all(
    names.filter((name) => name.endsWith('.js')).map((name) => readFile(join(assets, name), 'utf8')),
  )
  const script = scripts.join('\n')
  const used = new Set(script.match(/\bm_[\da-f]+/g))
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  const name = names.find((each) => /\.css$/.test(each) && page.includes(each))
  if (name === undefined) throw new Error('The build has no stylesheet that index.html names.')

  const kept = dropRules(name, await readFile(join(assets, name)), used)
  const [variable] = unusedColor.exec(script + kept) ?? []
  if (variable)
    throw new Error(`The console uses ${variable}, which its build drops: remove its color from unusedColor.`)
  const hash = createHash('sha256').update(kept).digest('base64url').slice(0, 8)
  const newName = `style-${hash}.css`
  await writeFile(join(assets, name), kept)
  await rename(join(assets, name), join(assets, newName))
  await writeFile(join(folder, 'index.html'), page.replaceAll(name, newName))
}

function dropRules(filename: string, code: Uint8Array, used: ReadonlySet<string>): string {
  const isUsed = (part: SelectorComponent) =>
    part.type !== 'class' || !mantineClass.test(part.name) || used.has(part.name)
  const { code: kept } = transform({
    filename,
    code,
    minify: true,
    visitor: {
      Declaration: { custom: ({ name }) => (unusedColor.test(name) ? [] : undefined) },
      Rule: {
        style(rule) {
          const selectors = rule.value.selectors.filter((selector) => selector.every(isUsed))
          if (selectors.length === rule.value.selectors.length) return undefined
          return selectors.length === 0 ? [] : { ...rule, value: { ...rule.value, selectors } }
        },
      },
    },
  })
  return new TextDecoder().decode(kept)
}
