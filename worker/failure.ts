/** Why an attempt had no answer, for the person who looks after the receiver. Never has headers, bodies or secrets. */
export function describeFailure(error: Error, status: number | null): string {
  const causes = causesOf(error)
  const refused = causes.find(({ name }) => name === 'AddressRefused')
  if (refused) return `not sent: ${refused.message}, and webhooks go to public addresses alone`
  const code = causes.map((each) => (each as NodeJS.ErrnoException).code).find((each) => each && reasons.has(each))
  const reason = (code && reasons.get(code)) ?? error.message
  return status === null ? reason : `the answer, ${status}, broke off: ${reason}`
}

const nameUnknown = "the receiver's name leads to no address"
const cut = 'the receiver closed the connection without an answer'

const reasons = new Map([
  ['ENOTFOUND', nameUnknown],
  ['ENODATA', nameUnknown],
  ['EAI_AGAIN', 'the name server gave no answer'],
  ['ETIMEOUT', 'the name server gave no answer'],
  ['ECONNREFUSED', 'the receiver refused the connection'],
  ['ECONNRESET', cut],
  ['EPIPE', cut],
  ['UND_ERR_SOCKET', cut],
  ['ETIMEDOUT', 'no connection to the receiver in time'],
  ['UND_ERR_CONNECT_TIMEOUT', 'no connection to the receiver in time'],
  ['EHOSTUNREACH', "the receiver's host cannot be reached"],
  ['ENETUNREACH', "the receiver's network cannot be reached"],
  ['UND_ERR_HEADERS_OVERFLOW', "the answer's headers are too large"],
  ['CERT_HAS_EXPIRED', "the receiver's certificate has expired"],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', "the receiver's certificate is signed by itself"],
  ['SELF_SIGNED_CERT_IN_CHAIN', "the receiver's certificate is signed by nobody known"],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', "the receiver's certificate is signed by nobody known"],
  ['ERR_TLS_CERT_ALTNAME_INVALID', "the receiver's certificate is for another name"],
])

/** The error, what caused it, and those that it holds, as one of many addresses that were tried. */
function causesOf(error: Error): Error[] {
  const inner = [error.cause, ...(error instanceof AggregateError ? error.errors : [])]
  return [error, ...inner.filter((each) => each instanceof Error).flatMap(causesOf)]
}
