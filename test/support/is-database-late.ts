/** Whether a 503 says that the database did not answer in time, as on a slow machine, so that nothing was changed. */
export function isDatabaseLate(status: number, body: string): boolean {
  return status === 503 && texts.test(body)
}

const texts =
  /No database connection was available in time|database did not answer in time|could not be read in time|cannot use its database right now/

/** Whether a process ended at its start because a slow machine's database did not let it connect in time. */
export function wasDatabaseLate(output: string): boolean {
  return /Cannot use the database .*timeout/.test(output)
}
