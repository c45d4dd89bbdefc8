import type { AnyOperation } from './operation.ts'

/** Whether the audit log has an entry for each request. Contract: Audit 1. */
export function isRecorded(operation: AnyOperation): boolean {
  switch (operation.kind) {
    case 'write':
    case 'bulk_write':
      return true
    case 'read':
      return operation.recorded === true
    case 'user_write':
      return operation.recordedIn !== 'none'
    case 'eval':
    case 'user_read':
    case 'sign_in':
    case 'open_read':
      return false
  }
}
