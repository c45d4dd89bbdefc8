/** The delimiters of CSV files. */
export const delimiters = [',', ';', '\t'] as const
