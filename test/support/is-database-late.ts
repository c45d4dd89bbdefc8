/** Whether a 503 says that the database did not answer in time, as on a slow machine, so that nothing was changed. */
export function isDatabaseLate(status: number, body: string): boolean {
  return status === 503 && texts.test(body)
}

const texts =
  /No database connection was available in time|database did not answer in time|could not be read in time|cannot use its database right now/
