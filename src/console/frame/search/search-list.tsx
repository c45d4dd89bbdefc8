import { useEffect, useRef } from 'react'
import { KeyText } from '../../components/text/key-text.tsx'
import { shortenMiddle } from '../../components/text/shorten.ts'
import type { Entry, Group } from './entry.ts'
import classes from './search-dialog.module.css'

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
    <div id={id} role="listbox" aria-label="Search results" className={classes.list}>
      {groups.map(({ title, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls, not for options.
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

type SearchOptionProps = { entry: Entry; id: string; isActive: boolean; onPoint(): void; onOpen(): void }

function SearchOption({
  entry: { name, code, context, kind, Icon },
  id,
  isActive,
  onPoint,
  onOpen,
}: SearchOptionProps) {
  const line = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) line.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    // The search field handles the keys: it keeps the focus, and refers to the selected option by its id.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above.
    <div
      ref={line}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      className={classes.option}
      onMouseMove={onPoint}
      onClick={onOpen}
    >
      <Icon />
      <span className={classes.words}>
        <span className={classes.name}>{shortenMiddle(name, 60)}</span>
        {code && <KeyText value={code} max={28} />}
        {context && <span className={classes.context}>{context}</span>}
      </span>
      <span className={classes.kind}>{kind}</span>
    </div>
  )
}
