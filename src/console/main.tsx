import './theme/layers.css'
import '@fontsource-variable/inter/wght.css'
import './theme/font.css'
import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import './theme/global.css'
import './theme/forced-colors.css'
import './theme/outlines.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { router } from './router.ts'
import { ThemeProvider } from './theme/provider.tsx'

// The outline in the document stays until the whole page can be shown. Not awaited: the pages' scripts import this script.
void router.load().then(show)

function show(): void {
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no element for the console.')
  createRoot(root).render(
    <StrictMode>
      <ThemeProvider>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </ThemeProvider>
    </StrictMode>,
  )
}

if (import.meta.env.MODE === 'development') reloadAfterBuilds()

const buildPollMs = 1000

/** Under `npm run dev`: reloads the page after a new build. */
function reloadAfterBuilds(): void {
  let firstBuild: string | null = null
  setInterval(async () => {
    if (document.hidden) return
    const answer = await fetch('/assets/build.json', { cache: 'no-store' }).catch(() => null)
    if (!answer?.ok) return
    const build = await answer.text()
    firstBuild ??= build
    if (build !== firstBuild) location.reload()
  }, buildPollMs)
}
