/*
 * Several installations may share one address: a proxy routes each request by the beginning of its credential. All credentials
 * that a process creates contain its installation's name, which is set once, when the process starts.
 */

let name = ''

/** Sets the name from INSTALLATION: two characters with which the random part of keys, sessions and invites begins. */
export function setInstallationName(newName: string | undefined): void {
  name = newName ?? ''
}

export function installationName(): string {
  return name
}

/** The first fields of a subscriber token's header, in this order, so that a proxy can recognize the beginning of the token. */
export function routingFields(installation: string, organizationId: string) {
  return { alg: 'HS256', ...(installation !== '' && { in: installation }), org: organizationId } as const
}

/** The longest common prefix of the tokens that this installation creates for the organization's subscribers. */
export function subscriberTokenPrefix(installation: string, organizationId: string): string {
  const header = Buffer.from(JSON.stringify(routingFields(installation, organizationId)).slice(0, -1))
  return header.toString('base64url').slice(0, Math.floor((header.length * 8) / 6))
}
