import type { Locator, Page } from 'playwright-core'

/**
 * Acts on a page as a person would, and counts the actions. Each call is one action: a click, a key chord, or text typed or
 * pasted. Reading and waiting do not count.
 */
type Actions = {
  click(target: Locator): Promise<void>
  press(chord: string): Promise<void>
  /** Types into the focused field. */
  type(text: string): Promise<void>
  /** Clicks on this field and types into it, which is a single action. */
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
