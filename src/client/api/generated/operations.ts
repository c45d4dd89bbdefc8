// Made from the description of the REST API by npm run client:types.

/**
 * By operation: the method, the route, letters for its traits, and for a list its items and their id.
 * b: takes a body; k: takes an Idempotency-Key; w: may change something.
 */
export const operations = {
  /** Create a feature. */
  createFeature: 'POST /org/features bkw',
  /** List the whole catalog, newest first. */
  listFeatures: 'GET /org/features - features',
  /** Read a feature. */
  getFeature: 'GET /org/features/{key}',
  /** Change the name, description, options or position of a feature. */
  updateFeature: 'PATCH /org/features/{key} bkw',
  /** Delete a feature that nothing refers to. */
  deleteFeature: 'DELETE /org/features/{key} kw',
  /** Read how the fields of a feature changed, newest first. */
  listFeatureHistory: 'GET /org/features/{key}/history - history.id',
  /** Create a plan. */
  createPlan: 'POST /org/plans bkw',
  /** List the plans, newest first; archived ones only on request. */
  listPlans: 'GET /org/plans - plans',
  /** Read a plan. */
  getPlan: 'GET /org/plans/{key}',
  /** Change the name, the grants or the position of a plan. */
  updatePlan: 'PATCH /org/plans/{key} bkw',
  /** Show what an update of a plan would change, and for how many subscribers. Changes nothing. */
  previewPlanUpdate: 'POST /org/plans/{key}/preview b',
  /** Show which of several changes to the catalog would be refused. Changes nothing. */
  previewCatalog: 'POST /org/catalog/preview b refusals',
  /** Archive a plan: it accepts no new subscriptions, and keeps the existing ones. */
  archivePlan: 'POST /org/plans/{key}/archive kw',
  /** Unarchive a plan: it accepts new subscriptions again. */
  unarchivePlan: 'POST /org/plans/{key}/unarchive kw',
  /** Delete a plan that never had a subscription. */
  deletePlan: 'DELETE /org/plans/{key} kw',
  /** Read how the fields and grants of a plan changed, newest first. */
  listPlanHistory: 'GET /org/plans/{key}/history - history.id',
  /** Create a subscriber. */
  createSubscriber: 'POST /org/subscribers bkw',
  /** Create and change subscribers with their plans and overrides, one per line. */
  importSubscribers: 'POST /org/subscribers/import w',
  /** List the subscribers, ordered by the code points of their ids. */
  listSubscribers: 'GET /org/subscribers - subscribers.subscriber_id',
  /** Read a subscriber. */
  getSubscriber: 'GET /org/subscribers/{subscriber_id}',
  /** Read whether the receiver acknowledged the newest event about a subscriber. */
  getDelivery: 'GET /org/subscribers/{subscriber_id}/delivery',
  /** Rename a subscriber. */
  updateSubscriber: 'PATCH /org/subscribers/{subscriber_id} bkw',
  /** Delete a subscriber with its subscriptions and overrides. */
  deleteSubscriber: 'DELETE /org/subscribers/{subscriber_id} kw',
  /** Subscribe a subscriber to a plan. */
  createSubscription: 'POST /org/subscribers/{subscriber_id}/subscriptions bkw',
  /** List the subscriptions of a subscriber, oldest first, including canceled ones. */
  listSubscriptions: 'GET /org/subscribers/{subscriber_id}/subscriptions - subscriptions.id',
  /** Cancel the active subscription and create one to another plan. */
  changeSubscription: 'POST /org/subscribers/{subscriber_id}/subscriptions/change bkw',
  /** Cancel the active subscription. */
  cancelSubscription: 'POST /org/subscribers/{subscriber_id}/subscriptions/{subscription_id}/cancel bkw',
  /** Create or replace the override of a subscriber for one feature. */
  putOverride: 'PUT /org/subscribers/{subscriber_id}/overrides/{feature_key} bkw',
  /** List the live overrides of a subscriber, newest first; on request, also overrides that have expired or not started. */
  listOverrides: 'GET /org/subscribers/{subscriber_id}/overrides - overrides',
  /** List the overrides of all subscribers. */
  listAllOverrides: 'GET /org/overrides - overrides.id',
  /** Read the override of a subscriber for one feature, live or not. */
  getOverride: 'GET /org/subscribers/{subscriber_id}/overrides/{feature_key}',
  /** Delete an override: the plan's grant applies again. */
  deleteOverride: 'DELETE /org/subscribers/{subscriber_id}/overrides/{feature_key} kw',
  /** Check whether a subscriber may use a feature, or several, and how much. Counts as one eval. */
  check: 'POST /org/subscribers/{subscriber_id}/entitlements/check b',
  /** Read everything that a subscriber may do. Counts as one eval. */
  getEntitlements: 'GET /org/subscribers/{subscriber_id}/entitlements',
  /** Read everything that up to 100 subscribers may do. Each snapshot counts as one eval. */
  entitlementsOf: 'POST /org/entitlements b',
  /** Read the changes that committed after a cursor, each at least once. */
  getChanges: 'GET /org/changes',
  /** Count the clients that follow the changes, and read the latest change that was sent to them. */
  getFollowers: 'GET /org/followers',
  /** Create a token with which a subscriber can read its own entitlements. */
  createSubscriberToken: 'POST /org/subscribers/{subscriber_id}/tokens bw',
  /** Read how many evals the organization used in a calendar month (UTC). */
  getEvalUsage: 'GET /org/eval-usage',
  /** Read how often each feature was allowed or denied in checks, by day (UTC). */
  getEvalUsageByFeature: 'GET /org/eval-usage/features',
  /** Read the twenty subscribers who were denied a feature most often, approximately. */
  listDenials: 'GET /org/features/{key}/denials - subscribers',
  /** Explain why a subscriber has its entitlements, feature by feature. */
  getExplanation: 'GET /org/subscribers/{subscriber_id}/explanation',
  /** Read how a subscriber's entitlements changed, newest first. */
  listSubscriberHistory: 'GET /org/subscribers/{subscriber_id}/history - history.id',
  /** Read the webhook. */
  getWebhook: 'GET /org/webhook',
  /** Create the webhook, or replace its address and resume deliveries. */
  putWebhook: 'PUT /org/webhook bw',
  /** Replace the secret of the webhook at once, also for retries of earlier events. */
  rotateWebhook: 'POST /org/webhook/rotate w',
  /** Pause deliveries. Events are still queued. */
  disableWebhook: 'POST /org/webhook/disable kw',
  /** Resume deliveries: all queued events are due at once, in their order. */
  enableWebhook: 'POST /org/webhook/enable kw',
  /** Delete the webhook and drop its queued events. */
  deleteWebhook: 'DELETE /org/webhook kw',
  /** List the events, newest first. */
  listWebhookEvents: 'GET /org/webhook/events - events.id',
  /** Read one event, with its body and the attempts made. */
  getWebhookEvent: 'GET /org/webhook/events/{event_id}',
  /** Count the queued events, those queued after a failed attempt, and the failed events. Tests are left out. */
  getWebhookEventCounts: 'GET /org/webhook/event-counts',
  /** Send a test event at once, with one attempt: ahead of the queue, and even while deliveries are paused. */
  sendTestEvent: 'POST /org/webhook/test kw',
  /** Send a finished event again, under the same id. */
  resendEvent: 'POST /org/webhook/events/{event_id}/resend kw',
  /** Send the failed events of a period again, oldest first, up to 10000 at once. Tests are left out. */
  resendEvents: 'POST /org/webhook/events/resend bkw',
  /** Make a queued event's next attempt due now. */
  retryEvent: 'POST /org/webhook/events/{event_id}/retry kw',
  /** Read the organization. */
  getOrganization: 'GET /org',
  /** Count the organization's objects of each type, each up to 10,000. */
  getCounts: 'GET /org/counts',
  /** Find subscribers, features, plans, members and service accounts by id, key or name. */
  search: 'GET /org/search - hits',
  /** Rename the organization, or set its environment. */
  updateOrganization: 'PATCH /org bkw',
  /** List the roles with their labels. */
  listRoles: 'GET /org/roles - roles',
  /** List the members. */
  listMembers: 'GET /org/members - members.member_id',
  /** Add a person as a member, by their user id. */
  createMember: 'POST /org/members bkw',
  /** Read a member. */
  getMember: 'GET /org/members/{member_id}',
  /** Change the role, status or display name of a member. */
  updateMember: 'PATCH /org/members/{member_id} bkw',
  /** Remove a member. */
  deleteMember: 'DELETE /org/members/{member_id} kw',
  /** List the roles that groups at the identity provider have. */
  listGroupRoles: 'GET /org/group-roles - group_roles',
  /** Set the roles of all groups at the identity provider. */
  setGroupRoles: 'PUT /org/group-roles bkw group_roles',
  /** List the invites that can still be used. Reading the list is recorded. */
  listInvites: 'GET /org/invites - invites.invite_id',
  /** Create an invite: a link with which one person can join. */
  createInvite: 'POST /org/invites bw',
  /** Revoke an invite. */
  deleteInvite: 'DELETE /org/invites/{invite_id} kw',
  /** List the service accounts. */
  listServiceAccounts: 'GET /org/service-accounts - service_accounts.service_account_id',
  /** Create a service account. */
  createServiceAccount: 'POST /org/service-accounts bkw',
  /** Read a service account. */
  getServiceAccount: 'GET /org/service-accounts/{service_account_id}',
  /** Rename a service account. */
  updateServiceAccount: 'PATCH /org/service-accounts/{service_account_id} bkw',
  /** Delete a service account with its member and its keys. */
  deleteServiceAccount: 'DELETE /org/service-accounts/{service_account_id} kw',
  /** List the keys of a service account. */
  listApiKeys: 'GET /org/service-accounts/{service_account_id}/api-keys - keys.key_id',
  /** Create a key for a service account. Only this answer shows the key. */
  createApiKey: 'POST /org/service-accounts/{service_account_id}/api-keys bw',
  /** Revoke a key at once. */
  deleteApiKey: 'DELETE /org/service-accounts/{service_account_id}/api-keys/{key_id} kw',
  /** Sign up with an e-mail and a password. */
  signUp: 'POST /user/sign-up bw',
  /** Sign in with an e-mail and a password. */
  signIn: 'POST /user/sign-in bw',
  /** Read your own account. */
  getUser: 'GET /user',
  /** Change the display name of your account. */
  updateUser: 'PATCH /user bw',
  /** Change your password. Ends all your tokens and sessions, including this one. */
  changePassword: 'POST /user/password bw',
  /** Delete your account and leave every organization. */
  deleteUser: 'DELETE /user w',
  /** List your sessions, newest first. */
  listSessions: 'GET /user/sessions - sessions',
  /** End all your sessions except the one that you are using. */
  endOtherSessions: 'DELETE /user/sessions w',
  /** End one of your sessions, with the console sessions opened under it. */
  endSession: 'DELETE /user/sessions/{id} w',
  /** List the organizations where you may sign in. */
  listOrganizations: 'GET /user/organizations - organizations',
  /** Create an organization. You become its admin. */
  createOrganization: 'POST /user/organizations bw',
  /** Join an organization with the token of an invite. */
  joinOrganization: 'POST /user/organizations/join bw',
  /** Leave an organization, and end your console sessions there. */
  leaveOrganization: 'DELETE /user/organizations/{organization_id} w',
  /** Open a console session in an organization. */
  signInToOrganization: 'POST /user/organizations/{organization_id}/sign-in w',
  /** End your console sessions in an organization. */
  signOutOfOrganization: 'POST /user/organizations/{organization_id}/sign-out w',
  /** Read the audit log of the organization, newest first. */
  listAuditEvents: 'GET /org/audit-events - audit_events.id',
  /** Read the signed head of the chain of the audit log. */
  getAuditHead: 'GET /org/audit-events/head',
  /** Read one entry of the audit log. */
  getAuditEvent: 'GET /org/audit-events/{id}',
  /** Read what you did with your account and your memberships, newest first. */
  listUserAuditEvents: 'GET /user/audit-events - audit_events.id',
  /** Read the version of the service, who may sign up, and how people sign in. */
  getService: 'GET /service',
  /** Evaluate one feature as a flag of OpenFeature. Counts as one eval. */
  evaluateFlag: 'POST /ofrep/v1/evaluate/flags/{key} b',
  /** Evaluate every feature of the catalog as a flag of OpenFeature. Counts as one eval. */
  evaluateFlags: 'POST /ofrep/v1/evaluate/flags b',
}

/** The items of each list. */
export type ListItems = {
  listFeatures: 'features'
  listFeatureHistory: 'history'
  listPlans: 'plans'
  previewCatalog: 'refusals'
  listPlanHistory: 'history'
  listSubscribers: 'subscribers'
  listSubscriptions: 'subscriptions'
  listOverrides: 'overrides'
  listAllOverrides: 'overrides'
  listDenials: 'subscribers'
  listSubscriberHistory: 'history'
  listWebhookEvents: 'events'
  search: 'hits'
  listRoles: 'roles'
  listMembers: 'members'
  listGroupRoles: 'group_roles'
  setGroupRoles: 'group_roles'
  listInvites: 'invites'
  listServiceAccounts: 'service_accounts'
  listApiKeys: 'keys'
  listSessions: 'sessions'
  listOrganizations: 'organizations'
  listAuditEvents: 'audit_events'
  listUserAuditEvents: 'audit_events'
}
