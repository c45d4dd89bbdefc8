import { Agent, setGlobalDispatcher } from 'undici'

// Runs before each test file: the tests' own `fetch` gives up a connection after ten seconds, and a slow machine to which a
// thousand requests are sent at once may need longer to accept the last one.
setGlobalDispatcher(new Agent({ connect: { timeout: 120_000 } }))
