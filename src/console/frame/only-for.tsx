import type { ReactNode } from 'react'
import { PageHeader } from '../components/page/page-header.tsx'
import { type Label, useMay } from '../session/viewer.ts'
import { ReadOnlyNotice } from './read-only-notice.tsx'

/** A page for those who may read it. To others it says so, and asks the server for nothing. */
export function OnlyFor({ label, title, children }: { label: Label; title: string; children: ReactNode }) {
  if (useMay(label)) return children
  return (
    <>
      <PageHeader title={title} />
      <ReadOnlyNotice label={label} what="see this page" />
    </>
  )
}
