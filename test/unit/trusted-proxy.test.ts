import { expect, it } from 'vitest'
import { trustedProxies } from '../../src/http/trusted-proxy.ts'

it.each([
  [false, '10.0.0.1', false],
  [0, '10.0.0.1', false],
  [true, '203.0.113.1', true],
  [1, '203.0.113.1', true],
  ['10.0.0.0/8, 203.0.113.7', '10.1.2.3', true],
  ['10.0.0.0/8, 203.0.113.7', '203.0.113.7', true],
  ['10.0.0.0/8, 203.0.113.7', '203.0.113.8', false],
  ['10.0.0.0/8', '::ffff:10.1.2.3', true],
  ['loopback', '127.0.0.2', true],
  ['loopback', '::1', true],
  ['uniquelocal', 'fd00::1', true],
  ['linklocal', '10.0.0.1', false],
])('with TRUST_PROXY %s, %s is a trusted proxy: %s', (trustProxy, address, expected) => {
  expect(trustedProxies(trustProxy)(address)).toBe(expected)
})
