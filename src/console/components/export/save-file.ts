/** Offers the bytes as a download. */
export function saveFile(name: string, bytes: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(bytes)
  link.download = name
  link.click()
  // By the next task, the download holds its own reference to the bytes.
  setTimeout(() => URL.revokeObjectURL(link.href))
}
