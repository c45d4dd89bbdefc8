import { BlockList, isIP } from 'node:net'
import type { Config } from '../config.ts'

/** The networks behind the names that TRUST_PROXY may contain. */
const namedNetworks: Record<string, readonly string[]> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/**
 * Whether a proxy is trusted to report its clients' addresses. `hop` is the number of proxies between it and the service; 0 is
 * the proxy that is connected to the service.
 */
export type IsTrustedProxy = (address: string | undefined, hop?: number) => boolean

export function trustedProxies(trustProxy: Config['trustProxy']): IsTrustedProxy {
  if (typeof trustProxy === 'boolean') return () => trustProxy
  if (typeof trustProxy === 'number') return (_address, hop = 0) => hop < trustProxy
  const networks = new BlockList()
  for (const part of trustProxy.split(',').flatMap((name) => namedNetworks[name.trim()] ?? [name.trim()])) {
    const [address = '', bits] = part.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) networks.addAddress(address, family)
    else networks.addSubnet(address, Number(bits), family)
  }
  return (address = '') => networks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
