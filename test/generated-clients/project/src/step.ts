/** One request of a tour: the operation, and what it answered. */
export type Step = { operationId: string; status: number; answer: unknown }

/** Who makes the tour, and where. `email` is nobody's yet. */
export type Tourist = { baseUrl: string; key: string; email: string }
