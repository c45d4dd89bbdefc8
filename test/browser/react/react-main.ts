import { createElement } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { Page, type PageConfig, renders } from './react-page.ts'

/* The script of the page. What the server has rendered is taken over. */

const { config } = window as unknown as { config: PageConfig }
const root = document.getElementById('root') as HTMLElement
const page = createElement(Page, { config })
if (root.hasChildNodes()) hydrateRoot(root, page)
else createRoot(root).render(page)

Object.assign(window, { renders })
