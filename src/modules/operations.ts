import type { AnyOperation } from '../operation/operation.ts'
import { changePassword } from './accounts/change-password.ts'
import { deleteUser } from './accounts/delete-user.ts'
import { endOtherSessions } from './accounts/end-other-sessions.ts'
import { endSession } from './accounts/end-session.ts'
import { readService } from './accounts/read-service.ts'
import { listUserSessions } from './accounts/read-user-sessions.ts'
import { signIn } from './accounts/sign-in.ts'
import { signOut } from './accounts/sign-out.ts'
import { signUp } from './accounts/sign-up.ts'
import { listAuditEvents, listUserAuditEvents, readAuditEvent } from './audit/read-audit-events.ts'
import { readAuditHead } from './audit/read-audit-head.ts'
import { previewCatalog } from './catalog/preview-catalog.ts'
import { readChanges } from './changes/read-changes.ts'
import { readFollowers } from './changes/read-followers.ts'
import { checkEntitlement } from './entitlements/check.ts'
import { createSubscriberToken } from './entitlements/create-subscriber-token.ts'
import { readEntitlements } from './entitlements/read-entitlements.ts'
import { readEvalUsage } from './entitlements/read-eval-usage.ts'
import { readExplanation } from './entitlements/read-explanation.ts'
import { readDenials, readFeatureUsage } from './entitlements/read-feature-usage.ts'
import { readManyEntitlements } from './entitlements/read-many-entitlements.ts'
import { createFeature } from './features/create-feature.ts'
import { deleteFeature } from './features/delete-feature.ts'
import { listFeatures, readFeature } from './features/read-features.ts'
import { updateFeature } from './features/update-feature.ts'
import { listGroupRoles } from './group-roles/read-group-roles.ts'
import { setGroupRoles } from './group-roles/set-group-roles.ts'
import { readFeatureHistory, readPlanHistory } from './history/read-field-history.ts'
import { readSubscriberHistory } from './history/read-subscriber-history.ts'
import { importSubscribers } from './imports/import-subscribers.ts'
import { createInvite } from './invites/create-invite.ts'
import { deleteInvite } from './invites/delete-invite.ts'
import { listInvites } from './invites/read-invites.ts'
import { createMember } from './members/create-member.ts'
import { deleteMember } from './members/delete-member.ts'
import { listMembers, readMember } from './members/read-members.ts'
import { listRoles } from './members/read-roles.ts'
import { updateMember } from './members/update-member.ts'
import { createOrganization } from './memberships/create-organization.ts'
import { joinOrganization } from './memberships/join-organization.ts'
import { leaveOrganization } from './memberships/leave-organization.ts'
import { readInvitation } from './memberships/read-invitation.ts'
import { listUserOrganizations } from './memberships/read-user-organizations.ts'
import { signInToOrganization } from './memberships/sign-in-to-organization.ts'
import { signOutOfOrganization } from './memberships/sign-out-of-organization.ts'
import { readCounts } from './organizations/read-counts.ts'
import { readOrganization } from './organizations/read-organization.ts'
import { updateOrganization } from './organizations/update-organization.ts'
import { deleteOverride } from './overrides/delete-override.ts'
import { listAllOverrides } from './overrides/list-all-overrides.ts'
import { putOverride } from './overrides/put-override.ts'
import { listOverrides, readOverride } from './overrides/read-overrides.ts'
import { archivePlan, unarchivePlan } from './plans/archive-plan.ts'
import { createPlan } from './plans/create-plan.ts'
import { deletePlan } from './plans/delete-plan.ts'
import { previewPlanUpdate } from './plans/preview-plan-update.ts'
import { listPlans, readPlan } from './plans/read-plans.ts'
import { updatePlan } from './plans/update-plan.ts'
import { search } from './search/read-search.ts'
import { createApiKey } from './service-accounts/create-api-key.ts'
import { createServiceAccount } from './service-accounts/create-service-account.ts'
import { deleteApiKey } from './service-accounts/delete-api-key.ts'
import { deleteServiceAccount } from './service-accounts/delete-service-account.ts'
import { listApiKeys } from './service-accounts/read-api-keys.ts'
import { listServiceAccounts, readServiceAccount } from './service-accounts/read-service-accounts.ts'
import { updateServiceAccount } from './service-accounts/update-service-account.ts'
import { createSubscriber } from './subscribers/create-subscriber.ts'
import { deleteSubscriber } from './subscribers/delete-subscriber.ts'
import { listSubscribers, readSubscriber } from './subscribers/read-subscribers.ts'
import { updateSubscriber } from './subscribers/update-subscriber.ts'
import { cancelSubscription } from './subscriptions/cancel-subscription.ts'
import { changeSubscription } from './subscriptions/change-subscription.ts'
import { createSubscription } from './subscriptions/create-subscription.ts'
import { listSubscriptions } from './subscriptions/read-subscriptions.ts'
import { readUser } from './users/read-user.ts'
import { updateUser } from './users/update-user.ts'
import { deleteWebhook } from './webhook/delete-webhook.ts'
import { disableWebhook, enableWebhook } from './webhook/pause-webhook.ts'
import { putWebhook } from './webhook/put-webhook.ts'
import { readDelivery } from './webhook/read-delivery.ts'
import { countEvents, listEvents, readEvent } from './webhook/read-events.ts'
import { readWebhook } from './webhook/read-webhook.ts'
import { resendEvent } from './webhook/resend-event.ts'
import { resendEvents } from './webhook/resend-events.ts'
import { retryEvent } from './webhook/retry-event.ts'
import { rotateWebhook } from './webhook/rotate-webhook.ts'
import { sendTestEvent } from './webhook/send-test-event.ts'

type Resource = { resource: string; about: string; operations: readonly AnyOperation[] }

/** All operations of the service, in the order of the reference. Both APIs are built from this table. */
export const resources: readonly Resource[] = [
  {
    resource: 'Features',
    about: "What the vendor's product can grant.",
    operations: [createFeature, listFeatures, readFeature, updateFeature, deleteFeature, readFeatureHistory],
  },
  {
    resource: 'Plans',
    about: 'Sets of grants that subscribers subscribe to.',
    operations: [
      createPlan,
      listPlans,
      readPlan,
      updatePlan,
      previewPlanUpdate,
      previewCatalog,
      archivePlan,
      unarchivePlan,
      deletePlan,
      readPlanHistory,
    ],
  },
  {
    resource: 'Subscribers',
    about: "The vendor's customers.",
    operations: [
      createSubscriber,
      importSubscribers,
      listSubscribers,
      readSubscriber,
      readDelivery,
      updateSubscriber,
      deleteSubscriber,
    ],
  },
  {
    resource: 'Subscriptions',
    about: 'Which plan a subscriber has, and had.',
    operations: [createSubscription, listSubscriptions, changeSubscription, cancelSubscription],
  },
  {
    resource: 'Overrides',
    about: 'What one subscriber has instead of what the plan grants.',
    operations: [putOverride, listOverrides, listAllOverrides, readOverride, deleteOverride],
  },
  {
    resource: 'Entitlements',
    about: 'What a subscriber may use. Each answer of a check or snapshot is an eval.',
    operations: [
      checkEntitlement,
      readEntitlements,
      readManyEntitlements,
      readChanges,
      readFollowers,
      createSubscriberToken,
      readEvalUsage,
      readFeatureUsage,
      readDenials,
      readExplanation,
      readSubscriberHistory,
    ],
  },
  {
    resource: 'Webhook',
    about: 'Where the service sends events about stale cached answers.',
    operations: [
      readWebhook,
      putWebhook,
      rotateWebhook,
      disableWebhook,
      enableWebhook,
      deleteWebhook,
      listEvents,
      readEvent,
      countEvents,
      sendTestEvent,
      resendEvent,
      resendEvents,
      retryEvent,
    ],
  },
  {
    resource: 'Organization',
    about: 'The vendor.',
    operations: [readOrganization, readCounts, search, updateOrganization, listRoles],
  },
  {
    resource: 'Members',
    about: 'Who acts in the organization.',
    operations: [listMembers, createMember, readMember, updateMember, deleteMember, listGroupRoles, setGroupRoles],
  },
  {
    resource: 'Invites',
    about: 'Links that let people join.',
    operations: [listInvites, createInvite, deleteInvite],
  },
  {
    resource: 'Service accounts',
    about: 'Programs that act in the organization, and their keys.',
    operations: [
      listServiceAccounts,
      createServiceAccount,
      readServiceAccount,
      updateServiceAccount,
      deleteServiceAccount,
      listApiKeys,
      createApiKey,
      deleteApiKey,
    ],
  },
  {
    resource: 'User',
    about: "A person's own account.",
    operations: [
      signUp,
      signIn,
      readUser,
      updateUser,
      changePassword,
      deleteUser,
      listUserSessions,
      endOtherSessions,
      endSession,
      listUserOrganizations,
      createOrganization,
      joinOrganization,
      leaveOrganization,
      signInToOrganization,
      signOutOfOrganization,
    ],
  },
  {
    resource: 'Audit log',
    about: 'Who did what.',
    operations: [listAuditEvents, readAuditHead, readAuditEvent, listUserAuditEvents],
  },
  {
    resource: 'Service',
    about: 'Public information.',
    operations: [readService],
  },
]

/** Operations only for browsers, which the REST API does not have. */
export const browserOperations: readonly AnyOperation[] = [signOut, readInvitation]
