/** This fragment of an address (after #) opens the list of keyboard shortcuts over the page. */
export const keysHash = 'keys'
