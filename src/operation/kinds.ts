import { bulkEvaluation } from './bulk-eval.ts'
import { evaluation } from './eval.ts'
import { following } from './follow.ts'
import { issuing } from './issue.ts'
import type { Kind } from './kind.ts'
import { openRead } from './open-read.ts'
import type { AnyOperation } from './operation.ts'
import { read } from './read.ts'
import { bulkWrite } from './run-bulk-write.ts'
import { signIn } from './sign-in.ts'
import { userRead } from './user-read.ts'
import { userWrite } from './user-write.ts'
import { write } from './write.ts'

type Kinds = { [Name in AnyOperation['kind']]: Kind<Extract<AnyOperation, { kind: Name }>> }

const kinds: Kinds = {
  read,
  write,
  bulk_write: bulkWrite,
  eval: evaluation,
  bulk_eval: bulkEvaluation,
  follow: following,
  issue: issuing,
  user_read: userRead,
  user_write: userWrite,
  sign_in: signIn,
  open_read: openRead,
}

export function kindOf(operation: AnyOperation): Kind<AnyOperation> {
  return kinds[operation.kind] as Kind<AnyOperation>
}
