import { Overloaded } from '../core/errors.ts'

export type BodyBudget = {
  /**
   * Reserves this many bytes for a request from this address, until they are released; 503 if there are not enough. An
   * address that holds nothing may take all that is left.
   */
  hold(address: string, bytes: number): void
  release(address: string, bytes: number): void
}

/** For one address: the rest is for the others. */
const shareOfOne = 1 / 2

/**
 * The memory that large bodies take in the process from the moment they are parsed until they are answered: a body of many
 * small parts takes twenty times its bytes, and many bodies are held at once while requests wait for their turn or the
 * database.
 */
export function createBodyBudget(maxBytes: number): BodyBudget {
  const heldBy = new Map<string, number>()
  let held = 0

  return {
    hold(address, bytes) {
      const own = heldBy.get(address) ?? 0
      if (held + bytes > maxBytes || (own > 0 && own + bytes > maxBytes * shareOfOne)) {
        throw new Overloaded(
          'Too many large bodies are being worked on, so this one was not read. Send fewer at once, and try again in a moment.',
        )
      }
      heldBy.set(address, own + bytes)
      held += bytes
    },
    release(address, bytes) {
      const left = (heldBy.get(address) ?? 0) - bytes
      if (left > 0) heldBy.set(address, left)
      else heldBy.delete(address)
      held -= bytes
    },
  }
}

/** Approximate memory of a list, an object or another value, in addition to the bytes of its text. */
const bytesOfValue = 24

const [comma, bracket, brace] = [0x2c, 0x5b, 0x7b]

/** Approximate memory of a JSON text once it is parsed: a megabyte of `[],` becomes fourteen. */
export function parsedBytes(json: Uint8Array): number {
  let values = 1
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === comma || byte === bracket || byte === brace) values += 1
  }
  return json.length + values * bytesOfValue
}
