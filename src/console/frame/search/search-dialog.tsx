import { Modal } from '@mantine/core'
import { type LinkProps, useNavigate } from '@tanstack/react-router'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { ErrorPanel } from '../../components/feedback/error-panel.tsx'
import { SearchIcon } from '../../components/icons/actions.tsx'
import { useOrganizationId } from '../../session/organization-id.ts'
import type { Entry } from './entry.ts'
import { addRecent } from './recent.ts'
import classes from './search-dialog.module.css'
import { SearchList } from './search-list.tsx'
import { maxHits, useSearchGroups } from './use-groups.ts'

/** Above any dialog that may be open. */
const zIndexAboveDialogs = 300

export function SearchDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size={600}
      yOffset="10dvh"
      centered={false}
      zIndex={zIndexAboveDialogs}
      returnFocus={false}
      // Without an animation, people can type at once.
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay backgroundOpacity={0.35} />
      <Modal.Content aria-label="Search">
        <SearchPanel onClose={onClose} />
      </Modal.Content>
    </Modal.Root>
  )
}

/** A field and the list of hits. The focus stays in the field; arrow keys select a hit, and Enter opens it. */
function SearchPanel({ onClose }: { onClose(): void }) {
  const [text, setText] = useState('')
  const [pointed, setPointed] = useState<string | null>(null)
  /** Whether the person pressed Enter before the answer arrived: then the first hit opens when the answer arrives. */
  const [isEager, setEager] = useState(false)
  const { groups, hits, isCurrent, error } = useSearchGroups(text, isEager)
  const open = useOpen(onClose, hits)
  const listId = useId()

  const entries = groups.flatMap((group) => group.entries)
  const active = entries.find(({ id }) => id === pointed) ?? entries[0]
  const optionId = ({ id }: Entry) => `${listId}-${entries.findIndex((entry) => entry.id === id)}`

  useEffect(() => {
    if (!isEager || !isCurrent) return
    setEager(false)
    if (entries[0]) open(entries[0])
  })

  function changeText(next: string): void {
    setText(next)
    setPointed(null)
    setEager(false)
  }

  function handleKey(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && active) {
      event.preventDefault()
      const next = entries.indexOf(active) + step
      setPointed(entries.at(next % entries.length)?.id ?? null)
    } else if (event.key === 'Escape') {
      onClose()
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      if (active && (isCurrent || pointed !== null || isLocalEntry(active))) open(active)
      else setEager(true)
    }
  }

  return (
    <div className={classes.content}>
      <Field
        text={text}
        listId={listId}
        activeId={active && optionId(active)}
        isExpanded={entries.length > 0}
        onAsk={changeText}
        onKeyDown={handleKey}
      />
      {error && (
        <div className={classes.note}>
          <ErrorPanel error={error} />
        </div>
      )}
      {entries.length > 0 ? (
        <SearchList id={listId} {...{ groups, active, optionId }} onPoint={({ id }) => setPointed(id)} onOpen={open} />
      ) : (
        !error && <p className={classes.note}>{isCurrent ? nothingFoundText : 'Searching…'}</p>
      )}
      <Footer found={isCurrent && text !== '' ? describeFound(entries.length, hits.length) : ''} />
    </div>
  )
}

type FieldProps = {
  text: string
  listId: string
  activeId: string | undefined
  isExpanded: boolean
  onAsk(text: string): void
  onKeyDown(event: KeyboardEvent): void
}

function Field({ text, listId, activeId, isExpanded, onAsk, onKeyDown }: FieldProps) {
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])

  /** Keeps the line breaks of a pasted ticket: the single-line field would join its lines without spaces. */
  function pasteLines(event: ClipboardEvent): void {
    const pasted = event.clipboardData.getData('text')
    if (!/\n/.test(pasted.trim())) return
    event.preventDefault()
    onAsk(pasted)
  }

  return (
    <div className={classes.field}>
      <SearchIcon />
      <input
        ref={field}
        className={classes.input}
        role="combobox"
        aria-label="Search"
        aria-expanded={isExpanded}
        aria-controls={listId}
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        placeholder="Search, or paste an id or a whole ticket"
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        // Escape closes only the search, not a drawer beneath it.
        data-mantine-stop-propagation
        value={oneLine(text)}
        onChange={(event) => onAsk(event.currentTarget.value)}
        onPaste={pasteLines}
        onKeyDown={onKeyDown}
      />
    </div>
  )
}

function Footer({ found }: { found: string }) {
  return (
    <div className={classes.foot}>
      <span>{searchHint}</span>
      <span role="status">{found}</span>
    </div>
  )
}

function useOpen(onClose: () => void, hits: ReturnType<typeof useSearchGroups>['hits']): (entry: Entry) => void {
  const organizationId = useOrganizationId()
  const navigate = useNavigate()
  return function open(entry) {
    const hit = hits.find(({ type, id }) => `${type} ${id}` === entry.id)
    if (hit) addRecent(organizationId, hit)
    onClose()
    if ('run' in entry) entry.run()
    else if ('href' in entry) window.location.assign(entry.href)
    // The router has a type of params for each route, but an entry may link to any route.
    else void navigate(entry.target as LinkProps)
  }
}

/** Whether the entry is a page or an action, which is known before the server answers. */
function isLocalEntry({ kind }: Entry): boolean {
  return ['page', 'action', 'help', 'organization'].includes(kind)
}

const searchHint = 'Finds ids by their start or end, names by any part, and both in a pasted text.'
const nothingFoundText = 'Nothing found. Type the start or the end of an id, or a part of a name of 3 letters or more.'

function describeFound(entries: number, hits: number): string {
  if (hits === maxHits) return `${entries} or more results`
  return entries === 1 ? '1 result' : `${entries} results`
}

function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, ' ')
}
