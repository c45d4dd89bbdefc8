const hourMs = 3_600_000

/** The time "now" in samples; each timestamp keeps its distance from now, in whole hours. */
const sampleNow = new Date('2026-11-22T09:00:00.000Z')

/** Replaces ids, times and secrets in an answer's text, so that it is the same in each run. */
export function withSampleValues(text: string, known: Iterable<readonly [value: string, sample: string]>): string {
  const ids = new Map<string, string>()
  const now = Date.now()
  let sampled = text
  for (const [value, sample] of known) sampled = sampled.replaceAll(value, sample)
  return sampled
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIwMUtBUDhaNlcwIn0.c2FtcGxl')
    .replaceAll(/\b(ent|inv)_[0-9A-Za-z]{49}\b/g, (_, kind) => `${kind}_${'Sample'.repeat(8)}0`)
    .replaceAll(/\bwhsec_[0-9A-Za-z]{43}\b/g, `whsec_${'Sample'.repeat(7)}0`)
    .replaceAll(/"(ent|ses)_[0-9A-Za-z]{8}"/g, '"$1_SampleSa"')
    .replaceAll(/"whsec_[0-9A-Za-z]{6}"/g, '"whsec_Sample"')
    .replaceAll(/(?<![0-9A-Z])[0-7][0-9A-HJKMNP-TV-Z]{25}(?![0-9A-Z])/g, (id) => {
      if (!ids.has(id)) ids.set(id, `01KAP8Z6W0${String(ids.size + 1).padStart(16, '0')}`)
      return ids.get(id) as string
    })
    .replaceAll(/202\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (time) => {
      const hours = Math.round((Date.parse(time) - now) / hourMs)
      return new Date(sampleNow.getTime() + hours * hourMs).toISOString()
    })
    .replaceAll(/"month": "\d{4}-\d\d"/g, '"month": "2026-11"')
    .replaceAll(/"date": "\d{4}-\d\d-\d\d"/g, '"date": "2026-11-22"')
}
