const maxNetworks = 20

/** The problem with the first invalid network, with a suggestion; null if all are valid. */
export function findNetworkProblem(networks: readonly string[]): string | null {
  if (networks.length > maxNetworks) return `Enter at most ${maxNetworks} networks; these are ${networks.length}.`
  for (const [index, network] of networks.entries()) {
    const problem = findProblemOf(network)
    if (problem) return networks.length === 1 ? problem : `Line ${index + 1}: ${problem}`
  }
  return null
}

function findProblemOf(network: string): string | null {
  const [address = '', length, ...rest] = network.split('/')
  const bits = toBits(address)
  if (!bits || rest.length > 0) return `“${network}” is not a network. Write it like 203.0.113.0/24.`
  const size = bits.length
  if (length === undefined || length === '') {
    return `${address} is a single address; did you mean ${address}/${size}?`
  }
  if (!/^\d{1,3}$/.test(length) || Number(length) > size) {
    return `${network} must end with a number from 0 to ${size} after the slash.`
  }
  const prefixLength = Number(length)
  if (!bits.slice(prefixLength).includes('1')) return null
  const base = toAddress(bits.slice(0, prefixLength).padEnd(size, '0'))
  return `${network} has host bits; did you mean ${base}/${prefixLength}?`
}

/** The 32 or 128 bits of an address; null if the text is not an address. */
function toBits(address: string): string | null {
  if (/^(\d{1,3}\.){3}\d{1,3}$/.test(address)) {
    const bytes = address.split('.').map(Number)
    return bytes.every((byte) => byte <= 255) ? bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('') : null
  }
  return (
    toGroups(address)
      ?.map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0'))
      .join('') ?? null
  )
}

/** The eight groups of an IPv6 address; null if the text is not one. */
function toGroups(address: string): string[] | null {
  if (!address.includes(':') || !URL.canParse(`http://[${address}]`)) return null
  const [head = '', tail] = toCanonicalAddress(address).split('::')
  const [first, last] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean)) as [string[], string[]]
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => '0'), ...last]
}

/** An IPv6 address as browsers write it: short, and in lower case. */
function toCanonicalAddress(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}

function toAddress(bits: string): string {
  const isV4 = bits.length === 32
  const parts = (bits.match(isV4 ? /.{8}/g : /.{16}/g) ?? []).map((part) => Number.parseInt(part, 2))
  return isV4 ? parts.join('.') : toCanonicalAddress(parts.map((part) => part.toString(16)).join(':'))
}
