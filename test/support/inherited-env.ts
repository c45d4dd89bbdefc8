const { PATH, NODE_COMPILE_CACHE } = process.env

/** The part of the tests' environment that the service's processes inherit. */
export const inheritedEnv = { PATH, NODE_COMPILE_CACHE }
