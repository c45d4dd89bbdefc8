import { Button, TextInput } from '@mantine/core'
import { fromLocalInput, toLocalInput } from '../../../components/form/expiry.ts'
import { useSubscriberSearch } from '../use-subscriber-search.ts'
import classes from './moment-filter.module.css'

/** The table as of a moment to come: what ends until then has ended. */
export function MomentFilter() {
  const { search, filter } = useSubscriberSearch()
  const { at } = search
  return (
    <div className={classes.filter}>
      <label htmlFor="as-of">As it will be on</label>
      <TextInput
        id="as-of"
        type="datetime-local"
        min={toLocalInput(new Date().toISOString())}
        max="9999-12-31T23:59"
        value={toLocalInput(at ?? null)}
        onChange={(event) => filter({ at: fromLocalInput(event.currentTarget.value) || undefined })}
      />
      {at !== undefined && (
        <Button variant="subtle" onClick={() => filter({ at: undefined })}>
          Now
        </Button>
      )}
    </div>
  )
}
