/* Reads spans from OTLP's protobuf, by the numbers of its fields (opentelemetry/proto/trace/v1/trace.proto). */

export type ReceivedSpan = {
  traceId: string
  spanId: string
  /** Empty for a root span. */
  parentId: string
  name: string
  kind: 'internal' | 'server' | 'client' | 'other'
  attributes: Record<string, string | number | boolean>
  links: { traceId: string; spanId: string }[]
  isError: boolean
  resource: ReceivedSpan['attributes']
}

/** A field's number and its value: `bytes` for wire type 2, otherwise `value`. */
type Field = { number: number; bytes: Buffer; value: bigint }

const empty = Buffer.alloc(0)
const kinds = ['other', 'internal', 'server', 'client', 'other', 'other'] as const

export function readSpans(request: Buffer): ReceivedSpan[] {
  return allOf(request, 1).flatMap((resourceSpans) => {
    const resource = attributesOf(firstOf(resourceSpans, 1), 1)
    return allOf(resourceSpans, 2).flatMap((scopeSpans) => allOf(scopeSpans, 2).map((span) => toSpan(span, resource)))
  })
}

function toSpan(span: Buffer, resource: ReceivedSpan['attributes']): ReceivedSpan {
  const number = (message: Buffer, of: number) => Number(fieldsOf(message).find((field) => field.number === of)?.value)
  return {
    traceId: firstOf(span, 1).toString('hex'),
    spanId: firstOf(span, 2).toString('hex'),
    parentId: firstOf(span, 4).toString('hex'),
    name: firstOf(span, 5).toString(),
    kind: kinds[number(span, 6)] ?? 'other',
    attributes: attributesOf(span, 9),
    links: allOf(span, 13).map((link) => ({
      traceId: firstOf(link, 1).toString('hex'),
      spanId: firstOf(link, 2).toString('hex'),
    })),
    isError: number(firstOf(span, 15), 3) === 2,
    resource,
  }
}

function attributesOf(message: Buffer, number: number): ReceivedSpan['attributes'] {
  return Object.fromEntries(
    allOf(message, number).map((pair) => [firstOf(pair, 1).toString(), toValue(firstOf(pair, 2))]),
  )
}

/** AnyValue: a text, a boolean, or a number of one of two kinds. */
function toValue(any: Buffer): string | number | boolean {
  const [field] = fieldsOf(any)
  if (field?.number === 1) return field.bytes.toString()
  if (field?.number === 2) return field.value === 1n
  return field?.number === 3 ? Number(field.value) : (field?.bytes.readDoubleLE() ?? Number.NaN)
}

const allOf = (message: Buffer, number: number) =>
  fieldsOf(message).flatMap((field) => (field.number === number ? [field.bytes] : []))
const firstOf = (message: Buffer, number: number) => allOf(message, number)[0] ?? empty

function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = []
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at++)
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const bytes = (length: number) => {
    at += length
    return message.subarray(at - length, at)
  }
  while (at < message.length) {
    const tag = Number(varint())
    const type = tag & 7
    const number = tag >> 3
    if (type === 0) fields.push({ number, bytes: empty, value: varint() })
    else fields.push({ number, bytes: bytes(type === 2 ? Number(varint()) : type === 1 ? 8 : 4), value: 0n })
  }
  return fields
}
