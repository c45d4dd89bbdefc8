import { Menu } from '@mantine/core'
import { setTimeStyle, useTimeStyle } from '../components/text/time-style.ts'

export function TimeStyleItem() {
  const style = useTimeStyle()
  return (
    <Menu.Item onClick={() => setTimeStyle(style === 'exact' ? 'relative' : 'exact')}>
      {style === 'exact' ? 'Show times as “3 h ago”' : 'Show exact times'}
    </Menu.Item>
  )
}
