import { version } from '../../src/core/version.ts'
import { type Precompressed, precompress } from '../../src/http/precompressed.ts'

/** How the documents write the address of the server that shows them. */
const ownAddress = 'https://<your server>'

/** A package that this server serves; `integrity` as lock files have it. */
export type ServedPackage = { name: string; integrity: string }

/** Returns a function that fills the values of this server into a text or page: the version and `integrity` of its packages. */
export function packageFiller(packages: readonly ServedPackage[]): (text: string) => string {
  return (text) =>
    packages.reduce(
      (filled, { name, integrity }) =>
        replace(
          replace(filled, `${name}-<version>.tgz`, `${name}-${version}.tgz`),
          `<integrity of ${name}.tgz>`,
          integrity,
        ),
      text,
    )
}

/** A text or page for the address at which a client reached the server. */
export type PageForAddress = (address: string) => Promise<Precompressed>

/** Host names under which a server is reached. Anonymous clients choose them too, and each costs memory. */
const maxAddresses = 8

/**
 * Compresses a text. A text that contains the server's address is compressed once for each of the first addresses; for others
 * it keeps a placeholder.
 */
export function prepare(text: string, type: string): PageForAddress {
  const pages = new Map<string, Promise<Precompressed>>()
  const isNaming = replace(text, ownAddress, '') !== text
  return (address) => {
    const isNamed = isNaming && (pages.has(address) || pages.size < maxAddresses)
    const key = isNamed ? address : ''
    const page = pages.get(key) ?? precompress(isNamed ? replace(text, ownAddress, address) : text, type)
    pages.set(key, page)
    return page
  }
}

/** The text may be HTML, so the value must be safe there: an address or a hash. */
function replace(text: string, name: string, value: string): string {
  const escaped = name.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return text.replaceAll(name, () => value).replaceAll(escaped, () => value)
}
