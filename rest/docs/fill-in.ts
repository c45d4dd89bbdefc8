import { version } from '../../src/core/version.ts'
import { type Precompressed, precompress } from '../../src/http/precompressed.ts'

/** The placeholder in documents for the address of the server that shows them. */
const addressPlaceholder = 'https://<your server>'

/** A package that this server serves; `integrity` is its hash in the format of lock files. */
export type ServedPackage = { name: string; integrity: string }

/** Returns a function that fills the version and `integrity` of this server's packages into a text or page. */
export function packageFiller(packages: readonly ServedPackage[]): (text: string) => string {
  return (text) =>
    packages.reduce(
      (filled, { name, integrity }) =>
        fillPlaceholder(
          fillPlaceholder(filled, `${name}-<version>.tgz`, `${name}-${version}.tgz`),
          `<integrity of ${name}.tgz>`,
          integrity,
        ),
      text,
    )
}

/** Returns a text or page that contains the address at which the client reached the server. */
export type PageForAddress = (address: string) => Promise<Precompressed>

/** The maximum number of addresses with their own page. Anonymous clients can choose the host, and each page costs memory. */
const maxAddresses = 8

/**
 * Compresses a text. If the text contains the server's address, each of the first `maxAddresses` addresses gets its own
 * compressed copy; all other addresses share a copy that keeps the placeholder.
 */
export function precompressForAddress(text: string, type: string): PageForAddress {
  const pages = new Map<string, Promise<Precompressed>>()
  const hasAddress = fillPlaceholder(text, addressPlaceholder, '') !== text
  return (address) => {
    const isFilled = hasAddress && (pages.has(address) || pages.size < maxAddresses)
    const key = isFilled ? address : ''
    const page =
      pages.get(key) ?? precompress(isFilled ? fillPlaceholder(text, addressPlaceholder, address) : text, type)
    pages.set(key, page)
    return page
  }
}

/** Replaces a placeholder, which HTML contains in escaped form. The value is not escaped: addresses and hashes are safe. */
function fillPlaceholder(text: string, name: string, value: string): string {
  const escaped = name.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return text.replaceAll(name, () => value).replaceAll(escaped, () => value)
}
