import { Kbd, Modal, Table, Title } from '@mantine/core'
import { Fragment } from 'react'
import { modifierKey } from '../modifier-key.ts'

/** Keys that are pressed together are separated by a space, alternatives by a comma. */
const shortcutGroups: readonly (readonly [title: string, keys: readonly (readonly [keys: string, what: string])[]])[] =
  [
    [
      'Everywhere',
      [
        [`${modifierKey} K, /`, 'Search'],
        ['?', 'Show these keys'],
        ['Esc', 'Close the search, a menu or a drawer'],
      ],
    ],
    [
      'In the search',
      [
        ['Down, Up', 'Go to the next or previous result'],
        ['Enter', 'Open the result'],
      ],
    ],
    [
      'In a drawer or a dialog',
      [
        [`${modifierKey} Enter`, 'Send the form'],
        ['Tab', 'Go to the next field, then to a message that offers Undo'],
      ],
    ],
    [
      'In a table',
      [
        ['Down, Up', 'Go to the next or previous row'],
        ['Enter', 'Open the row'],
      ],
    ],
    [
      'In the table of plans',
      [
        ['Down, Up, Right, Left', 'Go to the next cell'],
        ['Enter', 'Edit the cell, or end editing it'],
        ['Tab', 'Go to the next cell, and end editing'],
        ['Esc', 'Undo what was typed in the cell'],
      ],
    ],
  ]

export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" closeButtonProps={{ 'aria-label': 'Close' }}>
      {shortcutGroups.map(([title, keys]) => (
        <section key={title}>
          <Title order={3} size="h5" mt="sm">
            {title}
          </Title>
          <Table aria-label={title} layout="fixed">
            <Table.Tbody>
              {keys.map(([chords, what]) => (
                <Table.Tr key={chords}>
                  <Table.Th scope="row" fw={400} w={190}>
                    <Chords chords={chords} />
                  </Table.Th>
                  <Table.Td>{what}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      ))}
    </Modal>
  )
}

function Chords({ chords }: { chords: string }) {
  return chords.split(', ').map((chord, index) => (
    <Fragment key={chord}>
      {index > 0 && ' '}
      <Kbd>{chord}</Kbd>
    </Fragment>
  ))
}
