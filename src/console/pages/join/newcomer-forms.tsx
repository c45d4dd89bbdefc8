import { SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { SignInForm } from '../../frame/sign-in-form.tsx'
import { SignUpForm } from '../../frame/sign-up-form.tsx'

/** Signing up or in on the page of the invite, so that its token does not have to go to another page. */
export function NewcomerForms({ invite, onDone }: { invite: string; onDone(): unknown }) {
  const [way, setWay] = useState('sign-up')
  return (
    <Stack>
      <SegmentedControl
        fullWidth
        aria-label="Do you have an account?"
        value={way}
        onChange={setWay}
        data={[
          { value: 'sign-up', label: 'I am new here' },
          { value: 'sign-in', label: 'I have an account' },
        ]}
      />
      {way === 'sign-up' ? <SignUpForm invite={invite} onDone={onDone} /> : <SignInForm onDone={onDone} />}
    </Stack>
  )
}
