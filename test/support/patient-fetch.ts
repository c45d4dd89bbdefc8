import { Agent, setGlobalDispatcher } from 'undici'

// Runs before each test file. The tests' own `fetch` gives up a connection after ten seconds, and a slow machine to which a
// thousand requests are sent at once may need longer to accept the last one. It also keeps an idle connection until the moment
// at which the server closes it, and then a request that was just sent fails.
const keepAlive = { keepAliveTimeout: 1000, keepAliveMaxTimeout: 1000 }
setGlobalDispatcher(new Agent({ connect: { timeout: 120_000 }, ...keepAlive }))
