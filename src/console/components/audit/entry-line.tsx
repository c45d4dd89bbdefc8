import { shortenMiddle } from '../text/shorten.ts'
import classes from './audit.module.css'
import { type AuditEntry, describeEntry } from './describe-entry.ts'
import { SentenceText } from './sentence-text.tsx'
import { useMemberNames } from './use-names.ts'

/** An entry as a sentence: "Ada raised limit `seats` on plan `pro` from 10 to 25". */
export function EntryLine({ entry }: { entry: AuditEntry }) {
  const names = useMemberNames()
  return (
    <span className={classes.line}>
      <ActorName actor={entry.actor} /> <SentenceText sentence={describeEntry(entry, names)} />
    </span>
  )
}

/** The actor's name. Service accounts and removed members are marked. */
function ActorName({ actor: { member } }: Pick<AuditEntry, 'actor'>) {
  if (!member) return <span className={classes.actor}>Unknown person</span>
  const marks = [...(member.isServiceAccount ? ['service account'] : []), ...(member.removed ? ['removed'] : [])]
  return (
    <>
      <span className={classes.actor}>{shortenMiddle(member.displayName, 60)}</span>
      {marks.length > 0 && <span className={classes.mark}>({marks.join(', ')})</span>}
    </>
  )
}
