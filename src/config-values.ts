import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { isUlid } from './core/ids.ts'
import { isLoopback } from './core/public-address.ts'
import { withoutTrailingSlashes } from './core/trailing-slashes.ts'
import { parseMasterKey } from './core/vault.ts'

/*
 * The types of environment variables, each with a description of the allowed values. Addresses are trimmed, because parsers of
 * URLs accept white space around them, such as the carriage return of a file from Windows.
 */

/** The highest caps that a server may set for an organization. They also limit the length of lists without pages. */
export const maxCaps = { features: 1_000_000, plans: 1_000_000 }

/** A whole number within limits, from text. */
export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d+$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .describe(`a whole number from ${min} to ${max}`)
}

/** A whole number, or null for `unlimited`. */
export function wholeNumberOrUnlimited(min: number, max: number) {
  return z
    .union([z.literal('unlimited').transform(() => null), wholeNumber(min, max)])
    .describe('a whole number, or unlimited')
}

/** A number of processes; `auto` is the number of cores that this process may use. */
export function processCount() {
  return z
    .union([z.literal('auto').transform(() => availableParallelism()), wholeNumber(1, 128)])
    .describe('a whole number from 1 to 128, or auto')
}

export function postgresUrl() {
  return z
    .string()
    .trim()
    .refine((text) => /^postgres(ql)?:\/\//.test(text) && URL.canParse(text))
    .describe('an address such as postgresql://user:password@host:5432/database')
}

export function masterKey() {
  return z
    .string()
    .transform((text, context) => {
      const key = parseMasterKey(text)
      if (key) return key
      context.addIssue({ code: 'custom', input: text })
      return z.NEVER
    })
    .describe('32 bytes in base64, such as the output of `openssl rand -base64 32`')
}

/** Waits in seconds, separated by commas; fractions are allowed. */
export function waitsInSeconds() {
  return z
    .string()
    .regex(/^\d+(\.\d+)?(,\d+(\.\d+)?)*$/)
    .transform((text) => text.split(',').map(Number))
    .pipe(z.array(z.number().max(31_536_000)).max(100))
    .describe('1 to 100 numbers of seconds separated by commas, each at most a year, such as 30,300,1800')
}

export function httpUrl() {
  return z
    .string()
    .trim()
    .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))
    .describe('an http or https address')
}

/** Plain http is allowed only for addresses of this machine, because anyone on the network path could sign in as anyone. */
export function oidcIssuer() {
  return z
    .string()
    .trim()
    .refine((text) => {
      if (!URL.canParse(text) || text.includes('/.well-known/')) return false
      const { protocol, hostname, search, hash } = new URL(text)
      return (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) && search === '' && hash === ''
    })
    .describe('an https address without /.well-known/…, such as https://login.example.com/realms/staff')
}

/** Ids of organizations, separated by commas. */
export function organizationIds() {
  return z
    .string()
    .transform((text) => [...new Set(text.split(',').map((id) => id.trim()))])
    .pipe(z.array(z.string().refine(isUlid)).max(100))
    .describe('1 to 100 ids of organizations, separated by commas')
}

/** An address without a path, because the service's links and cookies would not include the path. */
export function httpOrigin() {
  return z
    .string()
    .trim()
    .refine((text) => {
      if (!URL.canParse(text) || !/^https?:\/\//.test(text)) return false
      const { origin, href } = new URL(text)
      return href === `${origin}/` && !/[?#]$/.test(text)
    })
    .describe('an http or https address without a path or query, such as https://entitlements.example.com')
}

/** Refuses folders below /proc and /sys: Linux allows no new folders there, and Node would retry forever. */
export function dataFolder() {
  return z
    .string()
    .transform((text) => resolve(text))
    .refine((folder) => !/^\/(proc|sys)(\/|$)/.test(folder))
    .describe('a folder that is not under /proc or /sys')
}

/**
 * `key=value` pairs separated by commas. Characters that a value may not contain are percent-encoded, as OpenTelemetry
 * specifies.
 */
export function pairs() {
  return z
    .string()
    .transform((text, context) => {
      try {
        const parts = text.split(',').map((part) => part.trim())
        return Object.fromEntries(parts.filter((part) => part !== '').map(toPair))
      } catch {
        context.addIssue({ code: 'custom', input: text })
        return z.NEVER
      }
    })
    .describe('key=value pairs separated by commas, with other characters percent-encoded, such as %2C for a comma')
}

function toPair(part: string): [string, string] {
  const end = part.indexOf('=')
  if (end < 1) throw new Error('Not a pair.')
  return [decodeURIComponent(part.slice(0, end).trim()), decodeURIComponent(part.slice(end + 1).trim())]
}

/** A number from 0 to 1. */
export function ratio() {
  return z
    .string()
    .regex(/^(\d+(\.\d*)?|\.\d+)$/)
    .transform(Number)
    .pipe(z.number().max(1))
    .describe('a number from 0 to 1')
}

export function trueOrFalse() {
  return z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .describe('true or false')
}

/** Whether the text lists trusted proxies: addresses, networks or names of networks, separated by commas. */
export function isNetworkList(text: string): boolean {
  return text.split(',').every((part) => {
    const network = part.trim()
    if (['loopback', 'linklocal', 'uniquelocal'].includes(network)) return true
    return isIP(network) !== 0 || (ipaddr.isValidCIDR(network) && isIP(network.split('/')[0] as string) !== 0)
  })
}

/** The address of a server, which may have a path. */
export function upstreamUrl() {
  return httpUrl()
    .refine((text) => {
      if (!URL.canParse(text)) return false
      const { username, password, search, hash } = new URL(text)
      return username + password + search + hash === ''
    })
    .transform(withoutTrailingSlashes)
    .describe('an http or https address such as https://entitlements.example.com')
}

/** A secret that can be sent in a header. */
export function secretText() {
  return z
    .string()
    .regex(/^[\x21-\x7e]+$/)
    .describe('a string without spaces')
}

/** Secrets separated by commas or, in a file, by lines. */
export function secretTexts() {
  return z
    .string()
    .transform((text) => text.split(/[,\n]/).map((each) => each.trim()))
    .pipe(z.array(secretText()).min(1))
    .describe('one or several secrets without spaces, separated by commas')
}

/** The path of a folder, relative to the working directory. */
export function folder() {
  return z
    .string()
    .transform((text) => resolve(text))
    .describe('the path of a folder')
}
