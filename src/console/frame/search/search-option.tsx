import { useEffect, useRef } from 'react'
import { KeyText } from '../../components/text/key-text.tsx'
import { shortenMiddle } from '../../components/text/shorten.ts'
import type { Entry } from './entry.ts'
import classes from './search-dialog.module.css'

type Props = { entry: Entry; id: string; isActive: boolean; onPoint(): void; onOpen(): void }

export function SearchOption({ entry: { name, code, context, kind, Icon }, id, isActive, onPoint, onOpen }: Props) {
  const line = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) line.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    // The keys work in the field, which keeps the focus and names the line that they are at.
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
