import { Tooltip } from '@mantine/core'
import { EntitlementValue } from '../text/entitlement-value.tsx'
import { formatLocal } from '../text/format-time.ts'
import { shortenKey, shortenMiddle } from '../text/shorten.ts'
import classes from './audit.module.css'
import type { Part, Sentence } from './sentence.ts'

/** A sentence with its keys, names and values as they look everywhere. */
export function SentenceText({ sentence }: { sentence: Sentence }) {
  return sentence.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never move.
    <PartText key={index} part={part} />
  ))
}

function PartText({ part }: { part: Part }) {
  if (typeof part === 'string') return part
  if ('key' in part) return <KeyPart text={part.key} />
  if ('name' in part) return `“${shortenMiddle(part.name, 60)}”`
  if ('time' in part) return <time dateTime={part.time}>{formatLocal(new Date(part.time))}</time>
  return part.shown === 'TOO_LARGE' ? 'a value too large for the log' : <EntitlementValue {...part.shown} />
}

/** Whole on hover, and whole in the entry itself. */
function KeyPart({ text }: { text: string }) {
  const short = shortenKey(text)
  if (short === text) return <code className={classes.key}>{text}</code>
  return (
    <Tooltip label={text}>
      <code className={`${classes.key} ${classes.short}`}>{short}</code>
    </Tooltip>
  )
}
