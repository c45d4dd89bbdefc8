import { Button } from '@mantine/core'
import { InfoIcon } from '../icons/actions.tsx'
import classes from './restored-notice.module.css'

/** Shown above a form with restored or reverted text, which could be mistaken for stored text. */
export function RestoredNotice({ onDiscard }: { onDiscard(): void }) {
  return (
    <div role="status" className={classes.notice}>
      <InfoIcon size={16} />
      <span className={classes.words}>This is a draft. It is not saved yet.</span>
      <Button size="compact-sm" variant="subtle" onClick={onDiscard}>
        Start over
      </Button>
    </div>
  )
}
