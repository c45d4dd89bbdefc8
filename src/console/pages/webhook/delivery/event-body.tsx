import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { CodeBlock } from '../../../components/api/code-block.tsx'

const looks = [
  { value: 'pretty', label: 'Pretty' },
  { value: 'raw', label: 'Raw' },
]

/** What is sent, readable, or byte by byte as it is signed. */
export function EventBody({ body }: { body: string }) {
  const [look, setLook] = useState('pretty')
  return (
    <div>
      <CodeBlock title="Body" code={look === 'raw' ? body : JSON.stringify(JSON.parse(body), null, 2)} />
      <SegmentedControl aria-label="Look of the body" size="xs" mt={6} data={looks} value={look} onChange={setLook} />
    </div>
  )
}
