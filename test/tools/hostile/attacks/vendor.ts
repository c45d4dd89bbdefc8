import { type AttackContext, inParallel } from '../attack.ts'

/** Creates an attacker's data over REST; skips what is refused, for example when a cap is reached. */
export function vendor(scene: AttackContext) {
  const { client, attacker } = scene
  const headers = attacker.headers
  const send = (method: string, path: string, body?: unknown) => client.send({ method, path, headers, body })
  return {
    send,
    feature: (key: string, fields: object = { kind: 'config', value_type: 'json' }) =>
      send('POST', '/org/features', { key, name: key, ...fields }),
    subscriber: (id: string) => send('POST', '/org/subscribers', { subscriber_id: id }),
    override: (subscriber: string, feature: string, value: unknown) =>
      send('PUT', `/org/subscribers/${subscriber}/overrides/${feature}`, { kind: 'config', value }),
    /** Config features named `<prefix>0`, `<prefix>1` and so on. */
    features: (prefix: string, count: number) =>
      inParallel(scene, { total: count, atOnce: 4 }, (index) =>
        send('POST', '/org/features', { key: `${prefix}${index}`, name: 'x', kind: 'config', value_type: 'json' }),
      ),
    check: (subscriber: string, feature: string) =>
      send('POST', `/org/subscribers/${subscriber}/entitlements/check`, { feature }),
    snapshot: (subscriber: string) => send('GET', `/org/subscribers/${subscriber}/entitlements`),
  }
}

/** A JSON value of about this many bytes. */
export function largeValue(bytes: number): { text: string[] } {
  return { text: Array.from({ length: Math.floor(bytes / 60) }, (_, index) => `${index}`.padEnd(57, 'v')) }
}
