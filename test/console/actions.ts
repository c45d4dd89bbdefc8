import type { Locator, Page } from 'playwright-core'

/** A person at a job. Each call is one action: a click, a chord, or a text typed or pasted. Reading and waiting are none. */
type Actions = {
  click(target: Locator): Promise<void>
  press(chord: string): Promise<void>
  /** Into the field that has the focus. */
  type(text: string): Promise<void>
  /** Into a field; the click into it is part of the action. */
  fill(field: Locator, text: string): Promise<void>
  count(): number
}

export function countActions({ keyboard }: Page): Actions {
  let count = 0
  return {
    click: (target) => {
      count++
      return target.click()
    },
    press: (chord) => {
      count++
      return keyboard.press(chord)
    },
    type: (text) => {
      count++
      return keyboard.type(text)
    },
    fill: (field, text) => {
      count++
      return field.fill(text)
    },
    count: () => count,
  }
}
