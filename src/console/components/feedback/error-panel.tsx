import { Button, Group, Text } from '@mantine/core'
import { isServerError } from '../../api/errors.ts'
import { WarningIcon } from '../icons/actions.tsx'
import { KeyText } from '../text/key-text.tsx'
import classes from './error-panel.module.css'

type Props = { error: Error; retry?: (() => void) | undefined }

/** Shows an error's message. If the server sent the error, also shows its code, and its request id to copy. */
export function ErrorPanel({ error, retry }: Props) {
  const serverError = isServerError(error) ? error : null
  return (
    <div role="alert" className={classes.panel}>
      <span className={classes.icon}>
        <WarningIcon />
      </span>
      <div className={classes.words}>
        <Text>{error.message}</Text>
        {serverError && (
          <Group gap="0 16px" mt={4} c="dimmed">
            <code>{serverError.code}</code>
            <KeyText value={serverError.requestId} copy="request id" max={40} />
          </Group>
        )}
        {retry && serverError?.code !== 'NOT_FOUND' && (
          <Button variant="default" size="xs" mt="xs" onClick={retry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  )
}
