/** What stands between the cells of a CSV file. */
export const delimiters = [',', ';', '\t'] as const
