/** The key that people of this system press with letters, as it is printed on their keyboard. */
export const modifierKey = /^Mac|^iP/.test(navigator.platform) ? '⌘' : 'Ctrl'
