import type { ReactNode } from 'react'
import { InfoIcon } from '../components/icons/actions.tsx'
import { PageHeader } from '../components/page/page-header.tsx'
import { type Label, useMay, useViewer } from '../session/viewer.ts'
import classes from './read-only-notice.module.css'

/** Shows a page only to roles that may read it. Other roles see a notice instead, and nothing is read. */
export function OnlyFor({ label, title, children }: { label: Label; title: string; children: ReactNode }) {
  if (useMay(label)) return children
  return (
    <>
      <PageHeader title={title} />
      <ReadOnlyNotice label={label} what="see this page" />
    </>
  )
}

/** Says, once on a page, that the person's role may not change anything. `what` completes "cannot …". */
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
