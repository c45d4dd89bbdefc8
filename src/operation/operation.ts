import type { BulkEval } from './bulk-eval.ts'
import type { BulkWrite } from './bulk-write.ts'
import type { Eval } from './eval.ts'
import type { CallerPage, Follow } from './follow.ts'
import type { Issue } from './issue.ts'
import type { OpenRead } from './open-read.ts'
import type { Read } from './read.ts'
import type { SignIn } from './sign-in.ts'
import type { UserRead } from './user-read.ts'
import type { UserWrite } from './user-write.ts'
import type { Write } from './write.ts'

export { defineBulkEval } from './bulk-eval.ts'
export { type BulkLine, BulkLines, type BulkOutcome, type BulkWrite, defineBulkWrite } from './bulk-write.ts'
export { addsStoredData } from './definition.ts'
export { defineEval, type Eval } from './eval.ts'
export { defineFollow } from './follow.ts'
export { defineIssue } from './issue.ts'
export type { Limits } from './limits.ts'
export { defineOpenRead } from './open-read.ts'
export { defineRead, type Rate, type Read } from './read.ts'
export { allColumns, type ReadScope, type SelectionWith } from './read-scope.ts'
export { defineSignIn } from './sign-in.ts'
export { defineUserRead } from './user-read.ts'
export { defineUserWrite } from './user-write.ts'
export { defineFastWrite, defineWrite, type Write, type WriteOutcome } from './write.ts'

/** An operation of a member in an organization. */
export type MemberOperation =
  // biome-ignore lint/suspicious/noExplicitAny: whatever its input and result are.
  Read<string, any, any> | Write<string, any, any> | Eval<string, any, any> | OtherMemberOperation

type OtherMemberOperation = AnyIssue | AnyBulkEval | AnyBulkWrite | AnyFollow

// biome-ignore lint/suspicious/noExplicitAny: whatever its input and result are.
type AnyBulkEval = BulkEval<string, any, any>

// biome-ignore lint/suspicious/noExplicitAny: whatever its input and result are.
type AnyIssue = Issue<string, any, any>

// biome-ignore lint/suspicious/noExplicitAny: whatever its input and result are.
type AnyBulkWrite = BulkWrite<string, any, any>

// biome-ignore lint/suspicious/noExplicitAny: whatever its input and result are.
type AnyFollow = Follow<string, any>

/** An operation of a person on their own account. */
export type UserOperation =
  // biome-ignore lint/suspicious/noExplicitAny: whatever its input and result are.
  UserRead<string, any, any> | UserWrite<string, any, any> | SignIn<string, any, any>

// biome-ignore lint/suspicious/noExplicitAny: whatever its input and result are.
export type AnyOperation = MemberOperation | UserOperation | OpenRead<string, any, any>

/** The result of running the operation. */
export type ResultOf<Operation extends AnyOperation> =
  // biome-ignore lint/suspicious/noExplicitAny: whatever its route and input are.
  Operation extends Write<any, any, infer Result> | UserWrite<any, any, infer Result>
    ? Result
    : // biome-ignore lint/suspicious/noExplicitAny: whatever its route and input are.
      Operation extends Read<any, any, infer Result> | Eval<any, any, infer Result> | Issue<any, any, infer Result>
      ? Result
      : // biome-ignore lint/suspicious/noExplicitAny: whatever its route and input are.
        Operation extends UserRead<any, any, infer Result> | SignIn<any, any, infer Result>
        ? Result
        : // biome-ignore lint/suspicious/noExplicitAny: whatever its route and input are.
          Operation extends OpenRead<any, any, infer Result> | BulkWrite<any, any, infer Result>
          ? Result
          : // biome-ignore lint/suspicious/noExplicitAny: whatever its route and input are.
            Operation extends BulkEval<any, any, infer Result>
            ? Result
            : Operation extends AnyFollow
              ? CallerPage
              : never
