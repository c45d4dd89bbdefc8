/** One request of a tour: the operation, and its answer. */
export type Step = { operationId: string; status: number; answer: unknown }

/** The address of the service, the key of the tour's caller, and an e-mail address without an account. */
export type TourContext = { baseUrl: string; key: string; email: string }
