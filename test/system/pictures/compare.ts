import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { decode, distanceOf, encode, isInFlatArea, type Pixels } from './png.ts'

/** Set by `npm run pictures:update`. */
const isUpdate = process.env.UPDATE_PICTURES !== undefined

const storedFolder = fileURLToPath(new URL('stored/', import.meta.url))
/** The folder for pictures of the differences. */
const differencesFolder = fileURLToPath(new URL('../../../node_modules/.cache/pictures/', import.meta.url))

/** How much a channel may differ, of 255: within an area, and at an edge or in a shadow, where colours are stored rounded. */
const tolerance = { area: 3, edge: 40 }
/** The number of pixels that may differ by more. */
const maxPixels = 20

/** How long a page may take until it looks like the picture: as long as a busy machine needs. */
const patienceMs = 30_000
const pauseMs = 150

/**
 * Resolves to null once `take` returns the stored picture, or to a message about the difference. An update stores the picture
 * instead, once it no longer changes.
 */
export async function comparePicture(name: string, take: () => Promise<Buffer>): Promise<string | null> {
  const path = join(storedFolder, `${name}.png`)
  if (isUpdate) return update(path, take)
  if (!existsSync(path)) return `${name}: there is no picture of it`
  const expected = decode(readFileSync(path))
  const deadline = performance.now() + patienceMs
  for (;;) {
    const pixels = decode(await take())
    const differing = differencesOf(expected, pixels)
    if (differing <= maxPixels) return null
    if (performance.now() > deadline) {
      mkdirSync(differencesFolder, { recursive: true })
      writeFileSync(join(differencesFolder, `${name}.png`), encode(pixels))
      writeFileSync(join(differencesFolder, `${name}-difference.png`), encode(mark(expected, pixels)))
      return `${name}: ${differing} pixels differ`
    }
    await wait(pauseMs)
  }
}

async function update(path: string, take: () => Promise<Buffer>): Promise<null> {
  mkdirSync(storedFolder, { recursive: true })
  let last = await take()
  for (;;) {
    await wait(pauseMs)
    const next = await take()
    if (next.equals(last)) break
    last = next
  }
  const pixels = decode(last)
  // A stored picture stays if the new one differs only by what the comparison allows, so that an update changes nothing else.
  if (!existsSync(path) || differencesOf(decode(readFileSync(path)), pixels) > 0) {
    writeFileSync(path, encode(pixels))
  }
  return null
}

function differencesOf(expected: Pixels, found: Pixels): number {
  if (expected.width !== found.width || expected.height !== found.height) return Number.POSITIVE_INFINITY
  let count = 0
  for (let pixel = 0; pixel < found.colours.length; pixel++) if (differsAt(expected, found, pixel)) count++
  return count
}

function differsAt(expected: Pixels, found: Pixels, pixel: number): boolean {
  const [colour, other] = [expected.colours[pixel] as number, found.colours[pixel] as number]
  if (colour === other) return false
  const isArea = isInFlatArea(expected, pixel) && isInFlatArea(found, pixel)
  return distanceOf(colour, other) > (isArea ? tolerance.area : tolerance.edge)
}

/** The picture in grey, with the pixels that differ in red. */
function mark(expected: Pixels, pixels: Pixels): Pixels {
  const isSameSize = expected.width === pixels.width && expected.height === pixels.height
  const colours = pixels.colours.map((colour, pixel) => {
    if (!isSameSize || differsAt(expected, pixels, pixel)) return 0xff0000
    const grey = 128 + ((colour & 255) >> 2)
    return (grey << 16) | (grey << 8) | grey
  })
  return { ...pixels, colours }
}
