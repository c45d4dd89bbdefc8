/**
 * Why an attempt got no answer, for the person who runs the receiver. Never contains headers, bodies, secrets or resolved
 * addresses: an internal name server returns addresses that a tenant must not learn.
 */
export function describeFailure(error: Error): string {
  const causes = causesOf(error)
  if (causes.some(({ name }) => name === 'AddressRefused')) {
    return "not sent: the receiver's address is not public, and webhooks go only to public addresses"
  }
  const proxyFailure = causes.find(({ name }) => name === 'ProxyFailed')
  if (proxyFailure) return proxyFailure.message
  return causes.map(findReason).find((each) => each !== null) ?? error.message
}

function findReason(error: Error): string | null {
  const { code = '', reason } = error as NodeJS.ErrnoException & { reason?: string }
  const known = reasons.get(code)
  if (known) return known
  // Node's own message contains the address.
  if ('address' in error) return `could not connect to the receiver: ${code}`
  // OpenSSL's own message is a log line with thread, function and file.
  return code.startsWith('ERR_SSL_') ? `could not open a TLS connection to the receiver: ${reason ?? code}` : null
}

const unknownName = "the receiver's host name has no address"
const closedConnection = 'the receiver closed the connection without an answer'

const reasons = new Map([
  ['ENOTFOUND', unknownName],
  ['ENODATA', unknownName],
  ['EAI_AGAIN', 'the DNS server did not answer'],
  ['ETIMEOUT', 'the DNS server did not answer'],
  ['ECONNREFUSED', 'the receiver refused the connection'],
  ['ECONNRESET', closedConnection],
  ['EPIPE', closedConnection],
  ['UND_ERR_SOCKET', closedConnection],
  ['ETIMEDOUT', 'could not connect to the receiver in time'],
  ['UND_ERR_CONNECT_TIMEOUT', 'could not connect to the receiver in time'],
  ['EHOSTUNREACH', "the receiver's host cannot be reached"],
  ['ENETUNREACH', "the receiver's network cannot be reached"],
  ['UND_ERR_HEADERS_OVERFLOW', "the answer's headers are too large"],
  ['CERT_HAS_EXPIRED', "the receiver's certificate has expired"],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', "the receiver's certificate is self-signed"],
  ['SELF_SIGNED_CERT_IN_CHAIN', "the receiver's certificate is not signed by a known authority"],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', "the receiver's certificate is not signed by a known authority"],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', "the receiver's certificate is not signed by a known authority"],
  ['CERT_NOT_YET_VALID', "the receiver's certificate is not valid yet"],
  ['ERR_TLS_CERT_ALTNAME_INVALID', "the receiver's certificate is for another name"],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'the receiver does not use TLS: its URL may need http instead of https'],
])

/** The error, its causes, and the errors of an `AggregateError`, such as one for each address that was tried. */
function causesOf(error: Error): Error[] {
  const inner = [error.cause, ...(error instanceof AggregateError ? error.errors : [])]
  return [error, ...inner.filter((each) => each instanceof Error).flatMap(causesOf)]
}
