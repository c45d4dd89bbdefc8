import { describe, expect, it } from 'vitest'
import { isPublicAddress } from '../../src/core/public-address.ts'
import { AddressRefused, guardedConnector } from '../../worker/address-guard.ts'

describe('isPublicAddress', () => {
  it.each([
    ['8.8.8.8'],
    ['1.1.1.1'],
    ['100.63.255.255'],
    ['100.128.0.1'],
    ['172.15.0.1'],
    ['172.32.0.1'],
    ['2606:4700:4700::1111'],
    ['::ffff:8.8.8.8'],
  ])('allows %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each([
    ['0.0.0.0'],
    ['0.1.2.3'],
    ['10.0.0.1'],
    ['100.64.0.1'],
    ['100.100.100.200'],
    ['127.0.0.1'],
    ['127.255.255.254'],
    ['168.63.129.16'],
    ['169.254.169.254'],
    ['172.16.0.1'],
    ['172.31.255.255'],
    ['192.0.0.192'],
    ['192.0.2.1'],
    ['192.168.1.1'],
    ['198.18.0.1'],
    ['198.51.100.1'],
    ['203.0.113.1'],
    ['224.0.0.1'],
    ['240.0.0.1'],
    ['255.255.255.255'],
    ['::'],
    ['::1'],
    ['::127.0.0.1'],
    ['::7f00:1'],
    ['::a9fe:a9fe'],
    ['::808:808'],
    ['1fff::1'],
    ['4000::1'],
    ['::ffff:127.0.0.1'],
    ['::ffff:7f00:1'],
    ['::ffff:a00:1'],
    ['::ffff:168.63.129.16'],
    ['::ffff:0:127.0.0.1'],
    ['64:ff9b::7f00:1'],
    ['64:ff9b::8.8.8.8'],
    ['64:ff9b:1::1'],
    ['2002:7f00:1::'],
    ['2001::1'],
    ['2001:db8::1'],
    ['3fff::1'],
    ['5f00::1'],
    ['100::1'],
    ['fc00::1'],
    ['fd00:ec2::254'],
    ['fe80::1'],
    ['fe80::1%eth0'],
    ['2606:4700::1%eth0'],
    ['fec0::1'],
    ['ff02::1'],
    ['localhost'],
    [''],
    ['127.1'],
    ['0x7f.1'],
  ])('refuses %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe('the guarded connector', () => {
  const options = { allowPrivateNetworks: false, timeoutMs: 1000 }

  /** Connects to a URL whose look-up returns these addresses; resolves to the error, or null if it connects. */
  function refusalOf(url: string, addresses: string[] = []): Promise<Error | null> {
    const resolve = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const connect = guardedConnector({ ...options, resolve })
    const { hostname, protocol, port, host } = new URL(url)
    return new Promise((done) => {
      const target = { hostname: hostname.replace(/^\[|\]$/g, ''), host, protocol, port }
      connect(target, (error, socket) => {
        socket?.destroy()
        done(error)
      })
    })
  }

  it.each([
    ['http://127.0.0.1:1'],
    ['http://127.1:1'],
    ['http://2130706433:1'],
    ['http://0x7f000001:1'],
    ['http://0177.0.0.1:1'],
    ['http://127.0.0.1.:1'],
    ['http://[::1]:1'],
    ['http://[::ffff:127.0.0.1]:1'],
    ['http://[::127.0.0.1]:1'],
    ['https://[64:ff9b::a9fe:a9fe]:1'],
    ['https://169.254.169.254'],
    ['http://①②⑦.⓪.⓪.①:1'],
  ])('refuses %s without a DNS lookup', async (url) => {
    expect(await refusalOf(url)).toBeInstanceOf(AddressRefused)
  })

  it('refuses a name that resolves to a private address', async () => {
    expect(await refusalOf('http://inside.example:1', ['10.0.0.1'])).toMatchObject({ address: '10.0.0.1' })
  })

  it('refuses a name that resolves to one private address among public ones', async () => {
    expect(await refusalOf('https://both.example:1', ['8.8.8.8', '::1'])).toMatchObject({ address: '::1' })
  })

  it('reports a name that resolves to no address', async () => {
    expect(await refusalOf('http://nowhere.example:1')).toMatchObject({ code: 'ENOTFOUND' })
  })

  it('connects to any address when private networks are allowed', async () => {
    const connect = guardedConnector({ ...options, allowPrivateNetworks: true })
    const error = await new Promise((done) => {
      connect({ hostname: '127.0.0.1', host: '127.0.0.1:1', protocol: 'http:', port: '1' }, (...[refusal]) =>
        done(refusal),
      )
    })
    expect(error).toMatchObject({ code: 'ECONNREFUSED' })
  })
})
