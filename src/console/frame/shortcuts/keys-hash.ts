/** Behind the # of an address, it opens the list of keyboard shortcuts over the page. */
export const keysHash = 'keys'
