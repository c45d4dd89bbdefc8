import { Tooltip } from '@mantine/core'
import { EntitlementValue } from '../text/entitlement-value.tsx'
import { formatExact, formatLocal } from '../text/format-time.ts'
import { shortenKey, shortenMiddle } from '../text/shorten.ts'
import classes from './audit.module.css'
import type { NamedObject, Part, Sentence } from './sentence.ts'
import { useFormerName } from './use-names.ts'

/** Shows a sentence, with its keys, names and values as elsewhere in the console. */
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
  if ('time' in part) return <TimePart time={part.time} />
  if ('unnamed' in part) return <UnnamedPart what={part.unnamed} />
  return part.shown === 'TOO_LARGE' ? 'a value too large to log' : <EntitlementValue {...part.shown} />
}

function TimePart({ time }: { time: string }) {
  return (
    <Tooltip label={formatExact(new Date(time))}>
      <time dateTime={time} data-hint>
        {formatLocal(new Date(time))}
      </time>
    </Tooltip>
  )
}

/** Shows the object's former name if the log has one, and otherwise its id. */
function UnnamedPart({ what }: { what: NamedObject }) {
  const name = useFormerName(what)
  if (name !== null) return `“${shortenMiddle(name, 60)}”`
  return (
    <>
      {what.type === 'MEMBER' && 'a former member '}
      <KeyPart text={what.id} />
    </>
  )
}

/** A shortened key; the full one is shown on hover, and in the entry itself. */
function KeyPart({ text }: { text: string }) {
  const short = shortenKey(text)
  if (short === text) return <code className={classes.key}>{text}</code>
  return (
    <Tooltip label={text}>
      <code className={`${classes.key} ${classes.short}`} data-hint>
        {short}
      </code>
    </Tooltip>
  )
}
