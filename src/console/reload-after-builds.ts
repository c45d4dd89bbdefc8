const everyMs = 1000

/** Under `npm run dev`: reloads the page when another build is there. */
export function reloadAfterBuilds(): void {
  let first: string | null = null
  setInterval(async () => {
    if (document.hidden) return
    const answer = await fetch('/assets/build.json', { cache: 'no-store' }).catch(() => null)
    if (!answer?.ok) return
    const build = await answer.text()
    first ??= build
    if (build !== first) location.reload()
  }, everyMs)
}
