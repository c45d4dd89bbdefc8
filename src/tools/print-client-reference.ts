import { writeFileSync } from 'node:fs'
import { printClientReference } from './client-reference.ts'

/* `npm run client:reference`: writes the reference of the client. */
writeFileSync(new URL('../../docs/guides/client.md', import.meta.url), printClientReference())
