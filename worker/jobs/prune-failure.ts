/** Gets the failure of one organization or person, so that the others continue. */
export type PruneFailureHandler = (error: unknown) => void

/** Runs the work of one organization or person. Passes its failure to the handler if there is one, otherwise throws it. */
export async function continueAfterFailure(
  onFailure: PruneFailureHandler | undefined,
  of: string,
  run: () => Promise<void>,
): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!onFailure) throw error
    onFailure(new Error(`old rows of ${of} could not be deleted`, { cause: error }))
  }
}
