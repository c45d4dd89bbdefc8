import { expect } from 'vitest'

/** A canonical UTC timestamp. */
export const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
export const ulid = expect.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
export const requestId = expect.stringMatching(/^req_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
