const { PATH, NODE_COMPILE_CACHE } = process.env

/** What processes of the service that tests start have of the tests' own environment. */
export const inherited = { PATH, NODE_COMPILE_CACHE }
