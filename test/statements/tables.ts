/** A person may be in many organizations or in none, so these tables are global and refer to no organization. */
export const tablesOfPersons = [
  'user_account',
  'user_password',
  'user_membership',
  'ended_identity',
  'user_session',
  'user_audit_event',
  'sign_in_counter',
  'sign_in_network',
]

/** Tables for the whole deployment. */
export const tablesOfDeployment = ['_prisma_migrations', 'change_epoch', 'eval_batch', 'master_key', 'signing_key']
