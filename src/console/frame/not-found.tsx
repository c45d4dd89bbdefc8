import { Link } from '@tanstack/react-router'
import { PlainFrame } from './plain-frame.tsx'

export function NotFound() {
  return (
    <PlainFrame title="There is no such page" description="The address may be misspelled, or lead to what is gone.">
      <Link to="/">To the start</Link>
    </PlainFrame>
  )
}
