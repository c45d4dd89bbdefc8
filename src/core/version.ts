import { readFileSync } from 'node:fs'

/** Of this service, as in package.json. */
export const version: string = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
