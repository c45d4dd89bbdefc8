import { lookup, Resolver } from 'node:dns/promises'

export type Address = { address: string; family: number }

const resolver = new Resolver({ timeout: 2000, tries: 2 })

/**
 * Finds every address of a name. The system's look-up blocks one of the process's four threads while a name server is silent,
 * and four such names would block all look-ups. So names are resolved over the network first, and by the system (with its hosts
 * file and search domains) only if it can answer at once.
 */
export async function resolveHost(hostname: string): Promise<Address[]> {
  if (!hostname.includes('.')) return lookup(hostname, { all: true })
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const addresses = found.flatMap((result, index) =>
    result.status === 'fulfilled' ? result.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
  )
  if (addresses.length > 0) return addresses
  const silent = found.find((result) => result.status === 'rejected' && result.reason?.code === 'ETIMEOUT')
  if (silent?.status === 'rejected') throw silent.reason
  return lookup(hostname, { all: true })
}
