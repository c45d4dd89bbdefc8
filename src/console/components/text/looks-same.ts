/** Whether both texts look the same: pages show several spaces as one, and a letter with an accent is one character or two. */
export function looksSame(one: string, other: string): boolean {
  return toShownText(one) === toShownText(other)
}

function toShownText(text: string): string {
  return text.normalize().trim().replace(/\s+/g, ' ')
}
