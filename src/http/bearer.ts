/** Returns the token of an `Authorization` header whose scheme is Bearer; undefined for any other header. */
export function readBearer(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^Bearer +([^\s]+) *$/i.exec(header)?.[1]
}
