import { crc32, deflateSync, inflateSync } from 'node:zlib'

/** The colours of the pixels, row by row, each as 0xRRGGBB. */
export type Pixels = { width: number; height: number; colours: Uint32Array }

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const [indexed, withAlpha] = [3, 6]

const maxColours = 256

/**
 * Writes a PNG with a palette, which is a third as large. Areas keep their colours. Colours that occur only at edges, such as
 * those of letters, are rounded: their channels become multiples of the step.
 */
export function encode(pixels: Pixels, step = 16): Buffer {
  const { width, height, colours } = pixels
  const ofAreas = new Set(colours.filter((_, pixel) => isInFlatArea(pixels, pixel)))
  const stored = new Map<number, number>()
  for (const colour of new Set(colours)) stored.set(colour, ofAreas.has(colour) ? colour : round(colour, step))
  const palette = [...new Set(stored.values())]
  if (palette.length > maxColours) return encode(pixels, step * 2)
  const indexOf = new Map(Array.from(stored, ([colour, shown]) => [colour, palette.indexOf(shown)]))
  const rows = Buffer.alloc((width + 1) * height)
  for (const [pixel, colour] of colours.entries()) {
    rows[pixel + Math.floor(pixel / width) + 1] = indexOf.get(colour) as number
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, indexed, 0, 0, 0], 8)
  const table = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('PLTE', table),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND'),
  ])
}

/** Whether the pixels around this pixel have the same colour. */
export function isInFlatArea({ width, colours }: Pixels, pixel: number): boolean {
  const colour = colours[pixel]
  return (
    colours[pixel - 1] === colour &&
    colours[pixel + 1] === colour &&
    colours[pixel - width] === colour &&
    colours[pixel + width] === colour
  )
}

function round(colour: number, step: number): number {
  const channels = [colour >> 16, (colour >> 8) & 255, colour & 255]
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => Math.min(255, Math.round(channel / step) * step))
  return (red << 16) | (green << 8) | blue
}

/** The greatest difference between the two colours in any channel. */
export function distanceOf(one: number, other: number): number {
  return Math.max(
    Math.abs((one >> 16) - (other >> 16)),
    Math.abs(((one >> 8) & 255) - ((other >> 8) & 255)),
    Math.abs((one & 255) - (other & 255)),
  )
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Reads what `encode` wrote, and what Chromium writes: 8 bits per channel, without interlacing. */
export function decode(png: Buffer): Pixels {
  let [width, height, type] = [0, 0, 0]
  let palette: Buffer = Buffer.alloc(0)
  const data: Buffer[] = []
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const name = png.toString('latin1', at + 4, at + 8)
    const body = png.subarray(at + 8, at + 8 + length)
    if (name === 'IHDR') [width, height, type] = [body.readUInt32BE(0), body.readUInt32BE(4), body[9] as number]
    if (name === 'PLTE') palette = body
    if (name === 'IDAT') data.push(body)
    at += length + 12
  }
  const bytes = type === indexed ? 1 : type === withAlpha ? 4 : 3
  const rows = unfilter(inflateSync(Buffer.concat(data)), width * bytes, height, bytes)
  const table = type === indexed ? palette : rows
  const colours = new Uint32Array(width * height)
  for (let pixel = 0; pixel < colours.length; pixel++) {
    const at = type === indexed ? (rows[pixel] as number) * 3 : pixel * bytes
    colours[pixel] = ((table[at] as number) << 16) | ((table[at + 1] as number) << 8) | (table[at + 2] as number)
  }
  return { width, height, colours }
}

/** PNG specification 9: each byte was stored as its difference from bytes to the left and above. */
function unfilter(stored: Uint8Array, rowBytes: number, height: number, bytes: number): Uint8Array {
  // Pads the bytes with a row of zeros above the first row, and a pixel of zeros to the left of each row.
  const stride = rowBytes + bytes
  const padded = new Uint8Array(stride * (height + 1))
  const rows = new Uint8Array(rowBytes * height)
  for (let y = 0; y < height; y++) {
    const from = y * (rowBytes + 1) + 1
    const to = (y + 1) * stride + bytes
    padded.set(stored.subarray(from, from + rowBytes), to)
    if (stored[from - 1] !== 0) addPredicted(padded, stored[from - 1] as number, { to, rowBytes, stride, bytes })
    rows.set(padded.subarray(to, to + rowBytes), y * rowBytes)
  }
  return rows
}

type Row = { to: number; rowBytes: number; stride: number; bytes: number }

function addPredicted(bytes: Uint8Array, filter: number, row: Row): void {
  for (let at = row.to; at < row.to + row.rowBytes; at++) {
    const left = bytes[at - row.bytes] as number
    const up = bytes[at - row.stride] as number
    const predicted =
      filter === 1
        ? left
        : filter === 2
          ? up
          : filter === 3
            ? (left + up) >> 1
            : nearestOf(left, up, bytes[at - row.stride - row.bytes] as number)
    bytes[at] = (bytes[at] as number) + predicted
  }
}

function nearestOf(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}
