import type { ApiExample } from './api-examples.ts'
import { ApiFold } from './api-fold.tsx'
import classes from './form-api.module.css'

/** Below a form: what it sends, for a program, with what is typed so far. */
export function FormApi({ example }: { example: ApiExample }) {
  return (
    <div className={classes.below}>
      <ApiFold example={example} />
    </div>
  )
}
