import { Link } from '@tanstack/react-router'
import { PlainFrame } from '../../frame/plain-frame.tsx'

/** The address holds no invite: part of the link was lost on its way. */
export function IncompleteLink() {
  return (
    <PlainFrame
      title="This link has no invite"
      description="An invite’s link ends with # and a token that begins with inv_. Ask for the whole link, and open it again."
    >
      <Link to="/">To the start</Link>
    </PlainFrame>
  )
}

/** The token lets nobody in. The server does not say whether it ever did. */
export function DeadInvite() {
  return (
    <PlainFrame
      title="This invite does not work any more"
      description="It was used, revoked, or has ended: an invite lasts 7 days and lets one person join. Ask whoever sent it for a new one."
    >
      <Link to="/">To the start</Link>
    </PlainFrame>
  )
}
