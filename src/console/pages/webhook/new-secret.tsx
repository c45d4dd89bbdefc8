import { ShownOnce } from '../../components/feedback/shown-once.tsx'
import classes from './webhook.module.css'

/** The secret after the webhook was connected, or its secret replaced. */
export function NewSecret({ secret, onDone }: { secret: string; onDone(): void }) {
  return (
    <section aria-label="New secret" className={classes.secret}>
      <ShownOnce what="secret" value={secret} onDone={onDone}>
        This is the only time the secret is shown. Your receiver verifies signatures with it: store it there as
        WEBHOOK_SECRET. Every request is signed with it from now on.
      </ShownOnce>
    </section>
  )
}
