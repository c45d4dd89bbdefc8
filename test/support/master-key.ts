/** MASTER_KEY of every server in tests: they share a database, which accepts only one key. */
export const testMasterKey = Buffer.alloc(32, 7).toString('base64')
