import { Menu } from '@mantine/core'
import { use, useState } from 'react'
import { MoreIcon } from '../../../components/icons/actions.tsx'
import classes from './move-button.module.css'
import type { Kind } from './save-positions.ts'
import { MovesContext } from './use-moves.ts'

/** The keys of an item's neighbors and of both ends of the list; undefined in the direction in which the item cannot move. */
export type Neighbors = {
  previous: string | undefined
  next: string | undefined
  first: string | undefined
  last: string | undefined
}

type Props = {
  kind: Kind
  itemKey: string
  name: string
  neighbors: Neighbors
  /** Whether Tab leads to the button. */
  isTabStop: boolean
}

const words = {
  plan: { previous: 'Move left', next: 'Move right', first: 'Move to the left end', last: 'Move to the right end' },
  feature: { previous: 'Move up', next: 'Move down', first: 'Move to the top', last: 'Move to the bottom' },
}

/**
 * A button with a menu that moves an item without a mouse. The menu is added at the first click, because a matrix has hundreds
 * of buttons.
 */
export function MoveButton({ kind, itemKey, name, neighbors, isTabStop }: Props) {
  const moves = use(MovesContext)
  const [isUsed, setUsed] = useState(false)
  if (!moves) return null
  const button = (
    <button
      type="button"
      className={kind === 'plan' ? classes.ofPlan : classes.ofFeature}
      tabIndex={isTabStop ? 0 : -1}
      aria-label={`Move ${name}`}
      aria-haspopup="menu"
      onClick={isUsed ? undefined : () => setUsed(true)}
    >
      <MoreIcon size={16} />
    </button>
  )
  if (!isUsed) return button
  const { previous, next, first, last } = neighbors
  const items = [
    ['previous', previous, 'before'],
    ['next', next, 'after'],
    ['first', first, 'before'],
    ['last', last, 'after'],
  ] as const
  return (
    <Menu defaultOpened returnFocus position="bottom-start" withinPortal>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {items.map(([where, neighbor, side]) => (
          <Menu.Item
            key={where}
            disabled={neighbor === undefined}
            onClick={() => neighbor !== undefined && moves[kind](itemKey, side, neighbor)}
          >
            {words[kind][where]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
