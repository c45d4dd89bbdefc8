/** Offers the bytes as a download. */
export function saveFile(name: string, bytes: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(bytes)
  link.download = name
  link.click()
  // The download has its own reference by the next turn.
  setTimeout(() => URL.revokeObjectURL(link.href))
}
