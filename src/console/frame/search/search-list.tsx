import type { Entry, Group } from './entry.ts'
import classes from './search-dialog.module.css'
import { SearchOption } from './search-option.tsx'

type Props = {
  id: string
  groups: readonly Group[]
  active: Entry | undefined
  optionId(entry: Entry): string
  onPoint(entry: Entry): void
  onOpen(entry: Entry): void
}

export function SearchList({ id, groups, active, optionId, onPoint, onOpen }: Props) {
  return (
    <div id={id} role="listbox" aria-label="What was found" className={classes.list}>
      {groups.map(({ title, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand in a list of options.
        <div key={title} role="group" aria-label={title}>
          <div className={classes.title} aria-hidden="true">
            {title}
          </div>
          {entries.map((entry) => (
            <SearchOption
              key={entry.id}
              entry={entry}
              id={optionId(entry)}
              isActive={entry === active}
              onPoint={() => onPoint(entry)}
              onOpen={() => onOpen(entry)}
            />
          ))}
        </div>
      ))}
    </div>
  )
}
