import { createElement } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { Page, type PageConfig, renders } from './react-page.ts'

/* The script of the page, which hydrates the HTML that the server has rendered. */

const { config } = window as unknown as { config: PageConfig }
const root = document.getElementById('root') as HTMLElement
const page = createElement(Page, { config })
if (root.hasChildNodes()) hydrateRoot(root, page)
else createRoot(root).render(page)

Object.assign(window, { renders })
