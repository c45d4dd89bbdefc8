import { Agent, setGlobalDispatcher } from 'undici'

// Runs before each test file. By default `fetch` gives up connecting after ten seconds, but a slow machine may need longer
// to accept the last of a thousand simultaneous requests. It also keeps an idle connection until the server closes it, and a
// request sent at that moment would fail.
const keepAlive = { keepAliveTimeout: 1000, keepAliveMaxTimeout: 1000 }
setGlobalDispatcher(new Agent({ connect: { timeout: 120_000 }, ...keepAlive }))
