/** One request of a tour: the operation, and its answer. */
export type Step = { operationId: string; status: number; answer: unknown }

/** The caller of the tour, and the service. Nobody has an account with `email` yet. */
export type Tourist = { baseUrl: string; key: string; email: string }
