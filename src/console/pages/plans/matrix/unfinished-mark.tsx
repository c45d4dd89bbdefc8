import { WarningIcon } from '../../../components/icons/actions.tsx'
import { shortenMiddle } from '../../../components/text/shorten.ts'
import classes from './grant-cell.module.css'

/** Shows, beside the saved value, the invalid text that was left in the cell, and on hover its problem. */
export function InvalidTextMark({ text, problem }: { text: string; problem: string }) {
  return (
    <span className={classes.unfinished} title={problem}>
      <WarningIcon size={12} />
      <span className={classes.hidden}>not saved: </span>
      {shortenMiddle(text, 16)}
      <span className={classes.hidden}>. {problem}</span>
    </span>
  )
}
