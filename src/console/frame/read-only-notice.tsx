import { InfoIcon } from '../components/icons/actions.tsx'
import { type Label, useMay, useViewer } from '../session/viewer.ts'
import classes from './read-only-notice.module.css'

/** Says, once on a page, that the person's role may look but not change anything. `what` completes "cannot …". */
export function ReadOnlyNotice({ label, what }: { label: Label; what: string }) {
  const viewer = useViewer()
  const may = useMay(label)
  if (may || !viewer) return null
  return (
    <p className={classes.notice}>
      <InfoIcon size={16} />
      Your role, {viewer.role?.toLowerCase()}, cannot {what}.
    </p>
  )
}
