import { limits } from '../../src/database/limits.ts'

// Runs before the service is imported. A page that gets a 503 because a busy machine stood still for three seconds complains
// in the browser's console; what the service does after these limits is tested elsewhere, without browsers.
Object.assign(limits, { connectTimeoutMs: 30_000, queryTimeoutMs: 60_000, transactionTimeoutMs: 60_000 })
