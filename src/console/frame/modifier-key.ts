/** The modifier key of shortcuts on the person's operating system, as it is printed on keyboards. */
export const modifierKey = /^Mac|^iP/.test(navigator.platform) ? '⌘' : 'Ctrl'
