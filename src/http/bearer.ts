/** The token in the header `Authorization`, if that is a Bearer token. */
export function readBearer(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^Bearer +([^\s]+) *$/i.exec(header)?.[1]
}
