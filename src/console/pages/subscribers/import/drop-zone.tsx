import { Button, FileButton, Text } from '@mantine/core'
import { type DragEvent, useRef, useState } from 'react'
import classes from './drop-zone.module.css'

type Props = { fileName: string; disabled: boolean; onFile(file: File): void }

/** Takes a dropped file, or one chosen with the button. */
export function DropZone({ fileName, disabled, onFile }: Props) {
  const [isOver, setOver] = useState(false)
  const resetChoice = useRef<() => void>(null)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file && !disabled) onFile(file)
  }
  return (
    <section
      aria-label="File"
      className={classes.zone}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Text>{fileName || 'Drop a CSV file here, or one with a JSON object on each line.'}</Text>
      <FileButton
        resetRef={resetChoice}
        onChange={(file) => {
          // Forget the choice: browsers report no change if the same file is corrected and then chosen again.
          resetChoice.current?.()
          if (file) onFile(file)
        }}
        accept=".csv,.tsv,.ndjson,.jsonl,.json,.txt"
        disabled={disabled}
      >
        {(props) => (
          <Button variant="default" {...props} disabled={disabled}>
            {fileName ? 'Choose another file' : 'Choose a file'}
          </Button>
        )}
      </FileButton>
    </section>
  )
}
