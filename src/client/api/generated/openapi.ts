// Made from the description of the REST API by npm run client:types.

export interface components {
    schemas: {
        /** @description The member who did something. */
        ActingMember: {
            /** @description The id of the member. */
            member_id: string;
            /** @description The display name; for a removed member, the last one. */
            display_name: string;
            /** @description Whether the member is a service account. */
            is_service_account: boolean;
            /** @description Whether the member was removed. */
            removed: boolean;
        };
        /** @description A key of a service account, without the key itself. */
        ApiKey: {
            /** @description The id of the key. */
            key_id: string;
            /** @description The first 12 characters of the key. */
            key_prefix: string;
            /** @description The display name. */
            name: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description When it was last used, to the minute; null if never. */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When the key expires; absent if it never does.
             */
            expires_at?: string;
            /** @description The networks from which the key may be used; absent if it may be used from anywhere. */
            allowed_networks?: string[];
        };
        /** @description Who sent the request. */
        AuditActor: {
            /** @description The member who sent it, such as a service account. Null only in a person's own log. */
            member_id: string | null;
            /**
             * @description How the request was authenticated.
             * @enum {string}
             */
            auth_type: "member_apikey" | "member_session" | "jwt";
            /** @description The first 12 characters of the key or of the console session's token; null for a personal sign-in. */
            key_prefix: string | null;
        };
        /** @description A recorded request and its outcome. */
        AuditEvent: {
            /** @description The id of the entry. */
            id: string;
            /**
             * Format: date-time
             * @description When the request was received.
             */
            occurred_at: string;
            /** @description The id of the request, as in the X-Request-Id header of its answer. */
            request_id: string;
            /** @description The person's id; only in their own log. */
            user_id?: string;
            /** @description The organization's id; null in a person's own log, unless the request created, joined or signed in to an organization. */
            organization_id: string | null;
            actor: components["schemas"]["AuditActor"];
            /**
             * @description The part of the API that the request belongs to.
             * @enum {string}
             */
            service: "api" | "identity";
            /**
             * @description The method of the REST route, also for a GraphQL request.
             * @enum {string}
             */
            method: "POST" | "PUT" | "PATCH" | "DELETE" | "GET";
            /** @description The template of the REST route, also for a GraphQL request. */
            route: string;
            /** @description The path parameters by name. Long values are cut and end in …. */
            params: {
                [key: string]: string;
            };
            /** @description The address that the request came from; `unknown` if the proxy reported none. */
            ip: string;
            /** @description The User-Agent header. A long value is cut and ends in …. */
            user_agent: string | null;
            /**
             * @description The outcome of the request.
             * @enum {string}
             */
            outcome: "pending" | "rejected" | "responded" | "no_response";
            /** @description The HTTP status of the answer, if there was one. */
            status: number | null;
            /** @description What changed, as a JSON object with the field names of the REST API. */
            details: {
                [key: string]: unknown;
            } | null;
            /** @description The id or key of what was created. */
            created_id: string | null;
        };
        /** @description The signed head of the audit log's hash chain. */
        AuditHead: {
            /** @description The organization whose log it is. */
            organization_id: string;
            /** @description The number of records in the chain. */
            position: number;
            /** @description The SHA-256 hash, in lower-case hex, of all records up to this position; 64 zeros if there are none. */
            hash: string;
            /**
             * Format: date-time
             * @description When the service signed it.
             */
            signed_at: string;
            /** @description The Ed25519 signature, in base64url, of `v1.<organization_id>.<position>.<hash>.<signed_at>`. */
            signature: string;
            /** @description The id of the signing key in `/.well-known/jwks.json`, whose `purpose` is `audit-head`. */
            kid: string;
            /** @description The number of entries that are not in the chain yet; 10000 means 10000 or more. */
            unchained: number;
        };
        /** @description The error BODY_TOO_LARGE. */
        BodyTooLargeError: {
            error: {
                /** @constant */
                type: "invalid_request_error";
                /** @constant */
                code: "BODY_TOO_LARGE";
                /** @description What to do next. */
                message: string;
                /** @description The same as in the X-Request-Id header. */
                request_id: string;
                /** @description More information, depending on the code. */
                details: null;
            };
        };
        CancelSubscriptionInput: {
            /** @description The id of the active subscription as you read it. */
            expected_subscription_id?: string;
        };
        /** @description The changes that would be refused. */
        CatalogPreview: {
            /** @description The refused changes; empty if all would succeed. */
            refusals: components["schemas"]["CatalogRefusal"][];
        };
        /** @description A change that would be refused. */
        CatalogRefusal: {
            /** @description The position of the change in the list, from 0. */
            index: number;
            /** @description The error code that the operation would answer with. */
            code: string;
            /** @description What is wrong, and what to do. */
            message: string;
            /** @description The details of the error. Field paths are relative to the input of the change. */
            details: {
                [key: string]: unknown;
            } | null;
        };
        /** @description A feature was created, changed or deleted: an unknown feature may have become known, and snapshots list different features. */
        CatalogUpdatedEvent: {
            /** @description The id of the event, the same on every attempt: use it to recognize duplicates. */
            id: string;
            /** @constant */
            type: "catalog.updated";
            /**
             * Format: date-time
             * @description When it happened.
             */
            occurred_at: string;
            /** @description The organization in which it happened. */
            organization_id: string;
        };
        /** @description A change: the body of an event. */
        Change: components["schemas"]["EntitlementsStaleEvent"] | components["schemas"]["PlanGrantsUpdatedEvent"] | components["schemas"]["EntitlementsEndMovedEvent"] | components["schemas"]["CatalogUpdatedEvent"];
        ChangePasswordInput: {
            /** @description The current password. */
            current_password: string;
            /** @description A string of 8 to 1024 characters. */
            new_password: string;
        };
        ChangeSubscriptionInput: {
            /** @description The key of a plan. */
            plan_id: string;
            /** @description The id of the active subscription as you read it. */
            expected_subscription_id?: string;
        };
        /** @description The changes after a cursor. */
        Changes: {
            /** @description The bodies of events, as a webhook sends them, in no particular order. A change may appear more than once. */
            changes: components["schemas"]["Change"][];
            /** @description The cursor to send as `after` in the next request. */
            cursor: string;
            /** @description Whether more changes are already available. */
            has_more: boolean;
            /** @description Whether to drop everything you cached, because the cursor is too old or belongs to another database. `changes` is empty then. */
            reset: boolean;
        };
        CheckInput: components["schemas"]["FeatureCheckInput"] | components["schemas"]["FeaturesCheckInput"];
        /** @description What a subscriber may do with one feature at this moment. For features of kind config. */
        ConfigEntitlement: {
            /** @description The feature's key. */
            feature: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "config";
            /** @description For a flag, its value; for a limit, whether it is granted and not 0; for a config, whether it is granted. */
            allowed: boolean;
            /** @description Only for kind config: any JSON value; null when nothing grants it. */
            value: components["schemas"]["JsonValue"] | null;
            /**
             * @description Where the answer comes from.
             * @enum {string}
             */
            source: "override" | "plan" | "none";
            /** @description When the override expires, if it is the source. */
            expires_at: string | null;
        };
        /** @description Something in the vendor's product that a plan can grant. For features of kind config. */
        ConfigFeature: {
            /** @description Unique in the organization; never changes. */
            key: string;
            /** @description The display name. */
            name: string;
            /** @description The description; empty if none was set. */
            description: string;
            /** @description The position in lists that people see, if one was set. */
            position?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "config";
            /**
             * @description Only for config features; never changes.
             * @enum {string}
             */
            value_type: "string" | "number" | "boolean" | "enum" | "json";
            /** @description The values to choose from, in display order; only for value type enum. */
            options?: string[];
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /** @description What a plan grants for one feature. For features of kind config. */
        ConfigGrant: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "config";
            /** @description Only for kind config: any JSON value of the feature's value type. */
            value: components["schemas"]["JsonValue"];
        };
        ConfigGrantInput: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "config";
            /** @description A value of the feature's value_type, never null. */
            value: components["schemas"]["JsonValue"];
        };
        /** @description Replaces, for one subscriber and one feature, what the plan grants, from its start until it expires or is deleted. For features of kind config. */
        ConfigOverride: {
            /** @description The id of the override. */
            id: string;
            /** @description The subscriber's id. */
            subscriber_id: string;
            /** @description The feature's key. */
            feature: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "config";
            /** @description Only for kind config: any JSON value of the feature's value type. */
            value: components["schemas"]["JsonValue"];
            /**
             * Format: date-time
             * @description When the override starts; absent once it has started.
             */
            starts_at?: string;
            /** @description When the override expires; null means never. */
            expires_at: string | null;
            /** @description Why it was set, or a link to a ticket; absent if there is none. */
            note?: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        ConfigOverrideInput: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "config";
            /** @description Required for the kind config. A value of the feature's value_type, never null. */
            value: components["schemas"]["JsonValue"];
            /** @description A valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z, or null for now. */
            starts_at?: string | null;
            /** @description A valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z, or null for no expiry. */
            expires_at?: string | null;
            /** @description A string of 1 to 500 characters, or null. */
            note?: string | null;
            /** @description The override's updated_at as you read it, or null when there was none. */
            expected_updated_at?: string | null;
        };
        /** @description An override, and who last set it. For features of kind config. */
        ConfigOverrideWithSetter: {
            /** @description The id of the override. */
            id: string;
            /** @description The subscriber's id. */
            subscriber_id: string;
            /** @description The feature's key. */
            feature: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "config";
            /** @description Only for kind config: any JSON value of the feature's value type. */
            value: components["schemas"]["JsonValue"];
            /**
             * Format: date-time
             * @description When the override starts; absent once it has started.
             */
            starts_at?: string;
            /** @description When the override expires; null means never. */
            expires_at: string | null;
            /** @description Why it was set, or a link to a ticket; absent if there is none. */
            note?: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /** @description Who last set it, if known. */
            set_by: components["schemas"]["ActingMember"] | null;
        };
        /** @description The error CONFLICT. */
        ConflictError: {
            error: {
                /** @constant */
                type: "invalid_request_error";
                /** @constant */
                code: "CONFLICT";
                /** @description What to do next. */
                message: string;
                /** @description The same as in the X-Request-Id header. */
                request_id: string;
                /** @description More information, depending on the code. */
                details: {
                    /** @description The field that conflicts. */
                    field: string;
                    /** @description The value in the request, or the stored value that conflicts with it. Any JSON value. */
                    value: unknown;
                };
            };
        };
        /** @description A console session. Its token is in a cookie; the header X-Organization-Id names the organization of a request. */
        ConsoleSession: {
            /** @description The first 12 characters of the session's token. */
            session_prefix: string;
            /**
             * Format: date-time
             * @description When the session expires. It ends earlier after 12 hours without use.
             */
            expires_at: string;
        };
        /** @description A count, exact up to 10000. */
        Count: {
            /** @description The number, or a lower bound if it is not exact. */
            value: number;
            /** @description Whether the number is exact. */
            is_exact: boolean;
        };
        /** @description How many objects of each type an organization has. */
        Counts: {
            /** @description Null if your role may not read these objects. */
            features: components["schemas"]["Count"] | null;
            /** @description Null if your role may not read these objects. */
            plans: components["schemas"]["Count"] | null;
            /** @description Null if your role may not read these objects. */
            subscribers: components["schemas"]["Count"] | null;
            /** @description Null if your role may not read these objects. */
            live_overrides: components["schemas"]["Count"] | null;
            /** @description Null if your role may not read these objects. */
            members: components["schemas"]["Count"] | null;
            /** @description Null if your role may not read these objects. */
            service_accounts: components["schemas"]["Count"] | null;
            /** @description Null if your role may not read these objects. */
            pending_invites: components["schemas"]["Count"] | null;
        };
        CreateApiKeyInput: {
            /** @description A string of 1 to 255 characters. */
            name: string;
            /** @description When the key expires. Null or left out: never. A valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z or 2027-01-31T10:00:00.5+01:00, or null. */
            expires_at?: string | null;
            /** @description The networks from which the key may be used. Null or left out: from anywhere. 1 to 20 networks in CIDR notation, such as 203.0.113.0/24, 203.0.113.9/32 or 2001:db8::/32, or null. */
            allowed_networks?: string[] | null;
        };
        CreateFeatureInput: {
            /** @description 1 to 64 lower-case letters, digits, underscores or dashes. */
            key: string;
            /** @description A string of 1 to 255 characters. */
            name: string;
            /**
             * @description One of flag, limit, config.
             * @enum {string}
             */
            kind: "flag" | "limit" | "config";
            /** @description A string of at most 2000 characters. */
            description?: string;
            /** @description The position in lists that people see, such as those of the console: the smallest comes first. Null for no position. A finite number, or null. */
            position?: number | null;
            /**
             * @description Required for kind config, and not allowed otherwise. One of string, number, boolean, enum, json.
             * @enum {string}
             */
            value_type?: "string" | "number" | "boolean" | "enum" | "json";
            /** @description Required for value type enum, and not allowed otherwise; in display order. 1 to 100 unique strings, each of 1 to 255 characters. */
            options?: string[];
        };
        CreateInviteInput: {
            /**
             * @description One of admin, developer, support, viewer, evaluator.
             * @enum {string}
             */
            role: "admin" | "developer" | "support" | "viewer" | "evaluator";
            /** @description A note for the list of invites. It does not limit who can use the link. An e-mail address of at most 254 characters, or null. */
            email?: string | null;
        };
        CreateMemberInput: {
            /** @description The id of a user, as on their account page. */
            user_id: string;
            /**
             * @description One of admin, developer, support, viewer, evaluator.
             * @enum {string}
             */
            role: "admin" | "developer" | "support" | "viewer" | "evaluator";
        };
        CreateOrganizationInput: {
            /** @description A string of 1 to 255 characters. */
            name: string;
        };
        CreatePlanInput: {
            /** @description 1 to 64 lower-case letters, digits, underscores or dashes. */
            key: string;
            /** @description A string of 1 to 255 characters. */
            name: string;
            /** @description The position in lists that people see, such as those of the console: the smallest comes first. Null for no position. A finite number, or null. */
            position?: number | null;
            /** @description A category chosen by the vendor; `standard` when left out. 1 to 64 lower-case letters, digits, underscores or dashes. */
            kind?: string;
            /** @description The plan's grants; none if left out. An object with a grant for each feature key. */
            grants?: {
                [key: string]: components["schemas"]["GrantInput"];
            };
        };
        CreateServiceAccountInput: {
            /** @description A string of 1 to 255 characters. */
            name: string;
            /**
             * @description One of admin, developer, support, viewer, evaluator.
             * @enum {string}
             */
            role: "admin" | "developer" | "support" | "viewer" | "evaluator";
        };
        CreateSubscriberInput: {
            /** @description A subscriber id: 1 to 255 characters without white space, slashes or control characters, other than "." and "..". */
            subscriber_id: string;
            /** @description Null means no name. A string of 1 to 255 characters, or null. */
            name?: string | null;
        };
        CreateSubscriberTokenInput: {
            /**
             * @description How many seconds the token is valid. An integer from 60 to 3600.
             * @default 900
             */
            expires_in?: number;
        };
        CreateSubscriptionInput: {
            /** @description The key of a plan. */
            plan_id: string;
        };
        /** @description A key that was just created. */
        CreatedApiKey: {
            /** @description The id of the key. */
            key_id: string;
            /** @description The first 12 characters of the key. */
            key_prefix: string;
            /** @description The display name. */
            name: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description When it was last used, to the minute; null if never. */
            last_used_at: string | null;
            /**
             * Format: date-time
             * @description When the key expires; absent if it never does.
             */
            expires_at?: string;
            /** @description The networks from which the key may be used; absent if it may be used from anywhere. */
            allowed_networks?: string[];
            /** @description The key itself, shown only once. */
            key: string;
        };
        /** @description Whether the receiver acknowledged the newest event about a subscriber. */
        Delivery: {
            /**
             * @description The state of the newest event about the subscriber; none without a webhook or an event.
             * @enum {string}
             */
            state: "none" | "queued" | "retrying" | "paused" | "delivered" | "failed";
            /** @description The id of the event. */
            event_id: string | null;
            /** @description When it happened. */
            occurred_at: string | null;
            /** @description When the receiver acknowledged the event. */
            delivered_at: string | null;
            /** @description When the next attempt is due; null while deliveries are paused. */
            next_attempt_at: string | null;
            /** @description The delivery of the newest change to the grants of the subscriber's plan since the subscriber got it; absent if there is none. */
            plan_change?: components["schemas"]["PlanChangeDelivery"];
        };
        /** @description A subscriber who was denied a feature. */
        DeniedSubscriber: {
            /** @description The subscriber's id. */
            subscriber_id: string;
            /** @description The subscriber's name, if it has one. */
            name: string | null;
            /** @description The approximate number of denials. */
            count: number;
        };
        /** @description What a subscriber may do with one feature at this moment. */
        Entitlement: components["schemas"]["FlagEntitlement"] | components["schemas"]["LimitEntitlement"] | components["schemas"]["ConfigEntitlement"];
        /** @description The answer to `features`, in the requested order. */
        EntitlementList: {
            /** @description An entitlement for each feature. */
            entitlements: components["schemas"]["Entitlement"][];
        };
        /** @description What a subscriber may do: one item for every feature of the catalog, newest feature first. */
        Entitlements: {
            /** @description The subscriber's id. */
            subscriber_id: string;
            /** @description The active plan's key. */
            plan: string | null;
            /** @description An entitlement for each feature. */
            entitlements: components["schemas"]["Entitlement"][];
            /** @description The earliest time at which an override starts or expires. */
            valid_until: string | null;
        };
        /** @description The expiry of an override in force was changed: the subscriber's entitlements are the same, but `valid_until` is different. */
        EntitlementsEndMovedEvent: {
            /** @description The id of the event, the same on every attempt: use it to recognize duplicates. */
            id: string;
            /** @constant */
            type: "entitlements.end_moved";
            /**
             * Format: date-time
             * @description When it happened.
             */
            occurred_at: string;
            /** @description The organization in which it happened. */
            organization_id: string;
            /** @description The subscriber whose snapshot has a different `valid_until`. */
            subscriber_id: string;
        };
        EntitlementsOfInput: {
            /** @description A list of 1 to 100 different subscriber ids. */
            subscriber_ids: string[];
        };
        /** @description The entitlements of several subscribers. Each requested id is in one of the three lists. */
        EntitlementsOfMany: {
            /** @description The snapshots, in the order of the requested ids. */
            snapshots: components["schemas"]["Entitlements"][];
            /** @description The requested ids that no subscriber has. */
            unknown: string[];
            /** @description The subscribers whose snapshots did not fit into the answer: request them again. They were not counted as evals. */
            left: string[];
        };
        /** @description A subscriber's entitlements may have changed: drop the cached snapshot, and read it again when it is next needed. */
        EntitlementsStaleEvent: {
            /** @description The id of the event, the same on every attempt: use it to recognize duplicates. */
            id: string;
            /** @constant */
            type: "entitlements.stale";
            /**
             * Format: date-time
             * @description When it happened.
             */
            occurred_at: string;
            /** @description The organization in which it happened. */
            organization_id: string;
            /** @description The subscriber whose snapshot is stale. */
            subscriber_id: string;
            /**
             * @description `subscription`: a subscription was created, changed or canceled. `override`: an override was put or deleted. `expiry`: an override expired. `subscriber`: the subscriber was deleted.
             * @enum {string}
             */
            cause: "subscription" | "override" | "expiry" | "subscriber";
            /** @description The features whose values changed: dropping these is enough. If absent, the whole snapshot is stale. */
            features?: string[];
        };
        /** @description The evals of a calendar month. */
        EvalUsage: {
            /** @description The month in UTC, such as 2026-11. */
            month: string;
            /** @description The number of evals in the month. */
            used: number;
            /** @description The maximum number of evals in a month; null means unlimited. */
            allotment: number | null;
            /** @description The days with evals, oldest first. */
            days: components["schemas"]["EvalUsageDay"][];
        };
        /** @description How often each feature was checked. */
        EvalUsageByFeature: {
            /**
             * Format: date
             * @description The first day.
             */
            from: string;
            /**
             * Format: date
             * @description The last day.
             */
            to: string;
            /** @description The checked features, most frequent first. */
            features: components["schemas"]["FeatureUsage"][];
            /** @description Always false, because a crash may lose up to ten seconds of counts. */
            is_exact: boolean;
        };
        /** @description A day (UTC) with evals. */
        EvalUsageDay: {
            /**
             * Format: date
             * @description The day in UTC, such as 2026-11-21.
             */
            date: string;
            /** @description The number of evals on the day. */
            used: number;
        };
        /** @description Why a subscriber has its entitlement to one feature. */
        ExplainedFeature: {
            /** @description The feature's key. */
            feature: string;
            /**
             * @description The feature's kind.
             * @enum {string}
             */
            kind: "flag" | "limit" | "config";
            /** @description The entitlement, as a check would return it. */
            entitlement: components["schemas"]["Entitlement"];
            /** @description The live override, if there is one. */
            override: components["schemas"]["OverrideWithSetter"] | null;
            /** @description What the plan grants, if anything. */
            plan_grant: components["schemas"]["Grant"] | null;
            /** @description What a check would answer without the override; null if there is no override. */
            beneath: components["schemas"]["Entitlement"] | null;
        };
        /** @description Why a subscriber has its entitlements, feature by feature, in the order of a snapshot. */
        Explanation: {
            /** @description The subscriber's id. */
            subscriber_id: string;
            /** @description The plan that is explained: the active plan, or that of `if_plan`. */
            plan: string | null;
            /**
             * Format: date-time
             * @description The time that the explanation is for.
             */
            at: string;
            /** @description An entitlement for each feature. */
            items: components["schemas"]["ExplainedFeature"][];
            /** @description The earliest time at which an override starts or expires. */
            valid_until: string | null;
        };
        /** @description Something in the vendor's product that a plan can grant. */
        Feature: components["schemas"]["FlagFeature"] | components["schemas"]["LimitFeature"] | components["schemas"]["ConfigFeature"];
        FeatureCheckInput: {
            /** @description The key of a feature. */
            feature: string;
        };
        /** @description How often a feature was checked. */
        FeatureUsage: {
            /** @description The feature's key; it may have been deleted since. */
            feature: string;
            /** @description The number of checks that allowed the feature. */
            granted: number;
            /** @description The number of checks that denied the feature. */
            denied: number;
            /** @description The days on which the feature was checked, oldest first. */
            days: components["schemas"]["FeatureUsageDay"][];
        };
        /** @description A day (UTC) on which a feature was checked. */
        FeatureUsageDay: {
            /**
             * Format: date
             * @description The day in UTC, such as 2026-11-21.
             */
            date: string;
            /** @description The number of checks that allowed the feature. */
            granted: number;
            /** @description The number of checks that denied the feature. */
            denied: number;
        };
        FeaturesCheckInput: {
            /** @description A list of 1 to 100 different keys of features. */
            features: string[];
        };
        /** @description A change of one field. */
        FieldItem: {
            /** @description The id of the item, which the REST API takes as `starting_after`. */
            id: string;
            /** @description The id of the change. Items of the same change share this id, and follow each other. */
            group: string;
            /**
             * Format: date-time
             * @description When it changed.
             */
            at: string;
            /** @description The feature whose grant changed, if the field is `grant`. */
            feature: string | null;
            /** @description In the history of a feature: the plan whose grant changed. */
            plan?: string;
            /** @description The name of the field, such as `name`, `archived` or `grant`. */
            field: string;
            /** @description The value before the change; `{ "too_large": true }` for a field that was too large for the audit log. */
            from: components["schemas"]["JsonValue"] | null;
            /** @description The value after the change, in the same format. */
            to: components["schemas"]["JsonValue"] | null;
            /** @description Who changed it, if known; null for an expiry. */
            by: components["schemas"]["ActingMember"] | null;
            /** @description The note of the plan's change, if there is one. */
            note: string | null;
        };
        /** @description What a subscriber may do with one feature at this moment. For features of kind flag. */
        FlagEntitlement: {
            /** @description The feature's key. */
            feature: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "flag";
            /** @description For a flag, its value; for a limit, whether it is granted and not 0; for a config, whether it is granted. */
            allowed: boolean;
            /**
             * @description Where the answer comes from.
             * @enum {string}
             */
            source: "override" | "plan" | "none";
            /** @description When the override expires, if it is the source. */
            expires_at: string | null;
        };
        /** @description Something in the vendor's product that a plan can grant. For features of kind flag. */
        FlagFeature: {
            /** @description Unique in the organization; never changes. */
            key: string;
            /** @description The display name. */
            name: string;
            /** @description The description; empty if none was set. */
            description: string;
            /** @description The position in lists that people see, if one was set. */
            position?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "flag";
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /** @description What a plan grants for one feature. For features of kind flag. */
        FlagGrant: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "flag";
        };
        FlagGrantInput: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "flag";
        };
        /** @description Replaces, for one subscriber and one feature, what the plan grants, from its start until it expires or is deleted. For features of kind flag. */
        FlagOverride: {
            /** @description The id of the override. */
            id: string;
            /** @description The subscriber's id. */
            subscriber_id: string;
            /** @description The feature's key. */
            feature: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "flag";
            /** @description Only for kind flag. */
            allowed: boolean;
            /**
             * Format: date-time
             * @description When the override starts; absent once it has started.
             */
            starts_at?: string;
            /** @description When the override expires; null means never. */
            expires_at: string | null;
            /** @description Why it was set, or a link to a ticket; absent if there is none. */
            note?: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        FlagOverrideInput: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "flag";
            /** @description Required for the kind flag. True or false. */
            allowed: boolean;
            /** @description A valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z, or null for now. */
            starts_at?: string | null;
            /** @description A valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z, or null for no expiry. */
            expires_at?: string | null;
            /** @description A string of 1 to 500 characters, or null. */
            note?: string | null;
            /** @description The override's updated_at as you read it, or null when there was none. */
            expected_updated_at?: string | null;
        };
        /** @description An override, and who last set it. For features of kind flag. */
        FlagOverrideWithSetter: {
            /** @description The id of the override. */
            id: string;
            /** @description The subscriber's id. */
            subscriber_id: string;
            /** @description The feature's key. */
            feature: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "flag";
            /** @description Only for kind flag. */
            allowed: boolean;
            /**
             * Format: date-time
             * @description When the override starts; absent once it has started.
             */
            starts_at?: string;
            /** @description When the override expires; null means never. */
            expires_at: string | null;
            /** @description Why it was set, or a link to a ticket; absent if there is none. */
            note?: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /** @description Who last set it, if known. */
            set_by: components["schemas"]["ActingMember"] | null;
        };
        /** @description The clients that follow the changes, and the latest change that was sent to them. */
        Followers: {
            /** @description The number of open streams and waiting polls with a key, in all processes. */
            count: number;
            /** @description The latest change that was sent to followers, in the same format as in `changes`. */
            last_change: components["schemas"]["Change"] | null;
            /** @description When the slowest process had sent the latest change to its followers. */
            handed_out_at: string | null;
            /** @description The time from storing the latest change to sending it to followers, in milliseconds. */
            delay_ms: number | null;
        };
        /** @description The error FORBIDDEN. */
        ForbiddenError: {
            error: {
                /** @constant */
                type: "invalid_request_error";
                /** @constant */
                code: "FORBIDDEN";
                /** @description What to do next. */
                message: string;
                /** @description The same as in the X-Request-Id header. */
                request_id: string;
                /** @description More information, depending on the code. */
                details: {
                    /** @description The labels that allow the request: the caller needs one of them. */
                    required_labels: string[];
                } | null;
            };
        };
        /** @description What a plan grants for one feature. */
        Grant: components["schemas"]["FlagGrant"] | components["schemas"]["LimitGrant"] | components["schemas"]["ConfigGrant"];
        GrantInput: components["schemas"]["FlagGrantInput"] | components["schemas"]["LimitGrantInput"] | components["schemas"]["ConfigGrantInput"];
        /** @description The role of people in this group at the identity provider. */
        GroupRole: {
            /** @description The group, as the identity provider names it. */
            group: string;
            /**
             * @description The role of members who are in the group.
             * @enum {string}
             */
            role: "admin" | "developer" | "support" | "viewer" | "evaluator";
        };
        /** @description A change of the subscriber's entitlement to one feature, or the creation of the subscriber. */
        HistoryItem: {
            /** @description The id of the item, which the REST API takes as `starting_after`. */
            id: string;
            /** @description The id of the change. Items of the same change share this id, and follow each other. */
            group: string;
            /**
             * Format: date-time
             * @description When it changed.
             */
            at: string;
            /** @description The feature's key; null when the subscriber was created. */
            feature: string | null;
            /**
             * @description Why it changed.
             * @enum {string}
             */
            cause: "override" | "expiry" | "subscription" | "plan" | "subscriber";
            /** @description What a check answered just before the change; null when the subscriber was created. */
            from: components["schemas"]["Entitlement"] | null;
            /** @description What a check answered after the change; null when the subscriber was created. */
            to: components["schemas"]["Entitlement"] | null;
            /** @description Who changed it, if known; null for an expiry. */
            by: components["schemas"]["ActingMember"] | null;
            /** @description The note of the plan's change or of the override, if there is one. */
            note: string | null;
            /** @description The plan in force after the change. */
            plan: string | null;
        };
        /** @description A line that was not applied, and why. */
        ImportError: {
            /** @description The number of the line, from 1; empty lines count too. */
            line: number;
            /** @description The subscriber id of the line; null if the line could not be read. */
            subscriber_id: string | null;
            /** @description The error code that the operation for a single subscriber would answer with. */
            code: string;
            /** @description What is wrong, and what to do. */
            message: string;
            /** @description The details of the error. Field paths are relative to the line. */
            details: {
                [key: string]: unknown;
            } | null;
        };
        ImportLine: {
            /** @description A subscriber id: 1 to 255 characters without white space, slashes or control characters, other than "." and "..". */
            subscriber_id: string;
            /** @description Null means no name. A string of 1 to 255 characters, or null. */
            name?: string | null;
            /** @description The plan that the subscriber should have; null cancels the subscription. The key of a plan, or null. */
            plan_id?: string | null;
            /** @description The overrides to put, by feature; null deletes the override. An object with an override, or null, for each feature key. */
            overrides?: {
                [key: string]: components["schemas"]["OverrideInput"] | null;
            };
        };
        /** @description The progress of an import. */
        ImportProgress: {
            /** @description The number of lines that were read, without empty lines. */
            lines: number;
            /** @description The number of lines that created a subscriber. */
            created: number;
            /** @description The number of lines that changed a subscriber. */
            updated: number;
            /** @description The number of lines that matched what was already stored. */
            unchanged: number;
            /** @description The number of lines that were refused, and changed nothing. */
            failed: number;
        };
        /** @description The result of an import. */
        ImportResult: {
            /** @description The number of lines that were read, without empty lines. */
            lines: number;
            /** @description The number of lines that created a subscriber. */
            created: number;
            /** @description The number of lines that changed a subscriber. */
            updated: number;
            /** @description The number of lines that matched what was already stored. */
            unchanged: number;
            /** @description The number of lines that were refused, and changed nothing. */
            failed: number;
            /** @description The first 1,000 errors, at most 4 MiB. */
            errors: components["schemas"]["ImportError"][];
        };
        /** @description The error INTERNAL_ERROR. */
        InternalError: {
            error: {
                /** @constant */
                type: "api_error";
                /** @constant */
                code: "INTERNAL_ERROR";
                /** @description What to do next. */
                message: string;
                /** @description The same as in the X-Request-Id header. */
                request_id: string;
                /** @description More information, depending on the code. */
                details: null;
            };
        };
        /** @description The error INVALID_JSON. */
        InvalidJsonError: {
            error: {
                /** @constant */
                type: "invalid_request_error";
                /** @constant */
                code: "INVALID_JSON";
                /** @description What to do next. */
                message: string;
                /** @description The same as in the X-Request-Id header. */
                request_id: string;
                /** @description More information, depending on the code. */
                details: null;
            };
        };
        /** @description A link with which one person can join the organization until it expires. */
        Invite: {
            /** @description The id of the invite. */
            invite_id: string;
            /**
             * @description The role of the new member.
             * @enum {string}
             */
            role: "admin" | "developer" | "support" | "viewer" | "evaluator";
            /** @description The e-mail, as a note. It does not limit who can use the link. */
            email: string | null;
            /** @description The link to send to the person. Null if the master key has been lost since then; a link that was sent before still works. */
            link: string | null;
            /**
             * Format: date-time
             * @description When the invite expires.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        JoinOrganizationInput: {
            /** @description The token of an invite: inv_…. */
            invite: string;
        };
        /** @description Any JSON value but null. */
        JsonValue: string | number | boolean | {
            [key: string]: unknown;
        } | unknown[];
        /** @description What a subscriber may do with one feature at this moment. For features of kind limit. */
        LimitEntitlement: {
            /** @description The feature's key. */
            feature: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "limit";
            /** @description For a flag, its value; for a limit, whether it is granted and not 0; for a config, whether it is granted. */
            allowed: boolean;
            /** @description Only for kind limit; null means unlimited, and 0 means that nothing grants it. */
            limit: number | null;
            /**
             * @description Where the answer comes from.
             * @enum {string}
             */
            source: "override" | "plan" | "none";
            /** @description When the override expires, if it is the source. */
            expires_at: string | null;
        };
        /** @description Something in the vendor's product that a plan can grant. For features of kind limit. */
        LimitFeature: {
            /** @description Unique in the organization; never changes. */
            key: string;
            /** @description The display name. */
            name: string;
            /** @description The description; empty if none was set. */
            description: string;
            /** @description The position in lists that people see, if one was set. */
            position?: number;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "limit";
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /** @description What a plan grants for one feature. For features of kind limit. */
        LimitGrant: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "limit";
            /** @description Only for kind limit; null means unlimited. */
            limit: number | null;
        };
        LimitGrantInput: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "limit";
            /** @description An integer from 0 to 9007199254740991, or null for unlimited. */
            limit: number | null;
        };
        /** @description Replaces, for one subscriber and one feature, what the plan grants, from its start until it expires or is deleted. For features of kind limit. */
        LimitOverride: {
            /** @description The id of the override. */
            id: string;
            /** @description The subscriber's id. */
            subscriber_id: string;
            /** @description The feature's key. */
            feature: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "limit";
            /** @description Only for kind limit; null means unlimited. */
            limit: number | null;
            /**
             * Format: date-time
             * @description When the override starts; absent once it has started.
             */
            starts_at?: string;
            /** @description When the override expires; null means never. */
            expires_at: string | null;
            /** @description Why it was set, or a link to a ticket; absent if there is none. */
            note?: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        LimitOverrideInput: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "limit";
            /** @description Required for the kind limit. An integer from 0 to 9007199254740991, or null for unlimited. */
            limit: number | null;
            /** @description A valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z, or null for now. */
            starts_at?: string | null;
            /** @description A valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z, or null for no expiry. */
            expires_at?: string | null;
            /** @description A string of 1 to 500 characters, or null. */
            note?: string | null;
            /** @description The override's updated_at as you read it, or null when there was none. */
            expected_updated_at?: string | null;
        };
        /** @description An override, and who last set it. For features of kind limit. */
        LimitOverrideWithSetter: {
            /** @description The id of the override. */
            id: string;
            /** @description The subscriber's id. */
            subscriber_id: string;
            /** @description The feature's key. */
            feature: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "limit";
            /** @description Only for kind limit; null means unlimited. */
            limit: number | null;
            /**
             * Format: date-time
             * @description When the override starts; absent once it has started.
             */
            starts_at?: string;
            /** @description When the override expires; null means never. */
            expires_at: string | null;
            /** @description Why it was set, or a link to a ticket; absent if there is none. */
            note?: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /** @description Who last set it, if known. */
            set_by: components["schemas"]["ActingMember"] | null;
        };
        /** @description A caller in the organization: a person or a service account. */
        Member: {
            /** @description The id of the member. */
            member_id: string;
            /** @description The id of the person; null for a service account. */
            user_id: string | null;
            /** @description The id of the service account; null for a person. */
            service_account_id: string | null;
            /** @description The display name. */
            display_name: string;
            /** @description The e-mail of the person's account. */
            email: string | null;
            /**
             * @description The role of the member.
             * @enum {string}
             */
            role: "admin" | "developer" | "support" | "viewer" | "evaluator";
            /**
             * @description A disabled member cannot act in the organization.
             * @enum {string}
             */
            status: "active" | "disabled";
            /** @description Whether a group at the identity provider makes the person a member, and decides their role and status. */
            by_group: boolean;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /** @description An organization as one of its members sees it. */
        Membership: {
            /** @description The id of the organization. */
            organization_id: string;
            /** @description The name of the organization. */
            name: string;
            /**
             * @description Whether the organization is for real customers or for tests, if this was set.
             * @enum {string}
             */
            environment?: "live" | "test";
            /** @description The id of the person's member in the organization. */
            member_id: string;
            /**
             * @description The role of the person in the organization.
             * @enum {string}
             */
            role: "admin" | "developer" | "support" | "viewer" | "evaluator";
        };
        /** @description The error NOT_FOUND. */
        NotFoundError: {
            error: {
                /** @constant */
                type: "invalid_request_error";
                /** @constant */
                code: "NOT_FOUND";
                /** @description What to do next. */
                message: string;
                /** @description The same as in the X-Request-Id header. */
                request_id: string;
                /** @description More information, depending on the code. */
                details: {
                    /** @description The type of the missing object, in snake case. */
                    resource: string;
                    /** @description The requested id; null if there is none, or if it is a secret. */
                    id: string | null;
                } | null;
            };
        };
        /** @description An identity provider where people sign in. */
        OidcProvider: {
            /** @description The display name, as shown on the sign-in button of the console. */
            name: string;
        };
        /** @description The error OPTION_IN_USE. */
        OptionInUseError: {
            error: {
                /** @constant */
                type: "invalid_request_error";
                /** @constant */
                code: "OPTION_IN_USE";
                /** @description What to do next. */
                message: string;
                /** @description The same as in the X-Request-Id header. */
                request_id: string;
                /** @description More information, depending on the code. */
                details: {
                    /**
                     * @description The type of the object that the request would change.
                     * @constant
                     */
                    resource: "feature";
                    /** @description The key of the feature. */
                    id: string;
                    /**
                     * @description The field whose values are in use.
                     * @constant
                     */
                    field: "options";
                    /** @description The options that would be removed but are in use, and what uses them. */
                    usage: {
                        /** @description The option that would be removed. */
                        option: string;
                        /** @description The plans that grant it, by key. */
                        plans: string[];
                        /** @description The subscribers whose overrides, live or scheduled, use it, by id. */
                        overrides: string[];
                    }[];
                };
            };
        };
        /** @description The vendor. */
        Organization: {
            /** @description The id of the organization. */
            organization_id: string;
            /** @description The display name. */
            name: string;
            /**
             * @description Whether the organization is for real customers or for tests, if this was set.
             * @enum {string}
             */
            environment?: "live" | "test";
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /** @description Replaces, for one subscriber and one feature, what the plan grants, from its start until it expires or is deleted. */
        Override: components["schemas"]["FlagOverride"] | components["schemas"]["LimitOverride"] | components["schemas"]["ConfigOverride"];
        OverrideInput: components["schemas"]["FlagOverrideInput"] | components["schemas"]["LimitOverrideInput"] | components["schemas"]["ConfigOverrideInput"];
        /** @description An override, and who last set it. */
        OverrideWithSetter: components["schemas"]["FlagOverrideWithSetter"] | components["schemas"]["LimitOverrideWithSetter"] | components["schemas"]["ConfigOverrideWithSetter"];
        /** @description A set of grants that subscribers subscribe to. */
        Plan: {
            /** @description Unique in the organization; never changes. */
            key: string;
            /** @description The display name. */
            name: string;
            /** @description The position in lists that people see, if one was set. */
            position?: number;
            /** @description A category chosen by the vendor; never changes. */
            kind: string;
            /** @description What the plan grants for each feature, by its key. */
            grants: {
                [key: string]: components["schemas"]["Grant"];
            };
            /** @description An archived plan accepts no new subscriptions. */
            archived_at: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /** @description The error PLAN_ARCHIVED. */
        PlanArchivedError: {
            error: {
                /** @constant */
                type: "invalid_request_error";
                /** @constant */
                code: "PLAN_ARCHIVED";
                /** @description What to do next. */
                message: string;
                /** @description The same as in the X-Request-Id header. */
                request_id: string;
                /** @description More information, depending on the code. */
                details: {
                    /**
                     * @description The type of the archived object.
                     * @constant
                     */
                    resource: "plan";
                    /** @description The key of the plan. */
                    id: string;
                };
            };
        };
        /** @description Whether the receiver acknowledged the newest change of a plan's grants. */
        PlanChangeDelivery: {
            /**
             * @description The state of the event about the plan.
             * @enum {string}
             */
            state: "none" | "queued" | "retrying" | "paused" | "delivered" | "failed";
            /** @description The id of the event. */
            event_id: string | null;
            /** @description When it happened. */
            occurred_at: string | null;
            /** @description When the receiver acknowledged the event. */
            delivered_at: string | null;
            /** @description When the next attempt is due; null while deliveries are paused. */
            next_attempt_at: string | null;
        };
        /** @description A plan's grants changed: drop the snapshots of the subscribers on it (a snapshot's `plan` says which), or all. */
        PlanGrantsUpdatedEvent: {
            /** @description The id of the event, the same on every attempt: use it to recognize duplicates. */
            id: string;
            /** @constant */
            type: "plan.grants.updated";
            /**
             * Format: date-time
             * @description When it happened.
             */
            occurred_at: string;
            /** @description The organization in which it happened. */
            organization_id: string;
            /** @description The key of the plan. */
            key: string;
        };
        /** @description What an update of a plan would do. */
        PlanPreview: {
            /** @description How many subscribers have the plan now. */
            subscribers: components["schemas"]["Count"];
            /** @description The changes, ordered by feature key. Grants that would be refused are left out. */
            changes: components["schemas"]["PreviewedChange"][];
            /** @description The reasons why the update would be refused; empty if it would succeed. */
            problems: components["schemas"]["PreviewProblem"][];
        };
        PreviewCatalogInput: {
            /** @description A list of at most 200 changes, in their order. */
            changes: {
                /**
                 * @description One of create_feature, update_feature, delete_feature, create_plan, update_plan, archive_plan, unarchive_plan, delete_plan.
                 * @enum {string}
                 */
                operation: "create_feature" | "update_feature" | "delete_feature" | "create_plan" | "update_plan" | "archive_plan" | "unarchive_plan" | "delete_plan";
                /** @description The feature or plan to change. Leave it out to create one. A key. */
                key?: string;
                /** @description The body of the operation, in the format of the REST API. A JSON object. */
                input?: {
                    [key: string]: unknown;
                };
            }[];
        };
        PreviewPlanUpdateInput: {
            /** @description A string of 1 to 255 characters. */
            name?: string;
            /** @description The position in lists that people see, such as those of the console: the smallest comes first. Null for no position. A finite number, or null. */
            position?: number | null;
            /** @description All grants: a feature that is left out is no longer granted. An object with a grant for each feature key. */
            grants?: {
                [key: string]: components["schemas"]["GrantInput"];
            };
            /**
             * Format: date-time
             * @description CONFLICT if the plan has changed since you read it. The plan's updated_at as you read it.
             */
            expected_updated_at?: string;
            /** @description Why the plan changes, or a link to a ticket, for the audit log and the history. A string of 1 to 500 characters. */
            note?: string;
        };
        /** @description Why an update would be refused. */
        PreviewProblem: {
            /** @description The field, such as `grants.sso.kind`; empty if the update would exceed a cap. */
            path: string;
            /** @description What is wrong. */
            message: string;
        };
        /** @description What an update of a plan would change for one feature. */
        PreviewedChange: {
            /** @description The feature's key. */
            feature: string;
            /** @description What the plan grants now, if anything. */
            from: components["schemas"]["Grant"] | null;
            /** @description What the plan would grant, if anything. */
            to: components["schemas"]["Grant"] | null;
            /** @description How many of the plan's subscribers have a live override of the feature, and so would not be affected. */
            hidden_by_override: components["schemas"]["Count"];
        };
        PutWebhookInput: {
            /** @description An http or https address without credentials, of at most 2048 characters. */
            url: string;
        };
        /** @description The error RATE_LIMITED. */
        RateLimitedError: {
            error: {
                /** @constant */
                type: "invalid_request_error";
                /** @constant */
                code: "RATE_LIMITED";
                /** @description What to do next. */
                message: string;
                /** @description The same as in the X-Request-Id header. */
                request_id: string;
                /** @description More information, depending on the code. */
                details: {
                    /** @description The same as in the Retry-After header. */
                    retry_after_seconds: number;
                };
            };
        };
        ResendEventsInput: {
            /**
             * @description Failed.
             * @enum {string}
             */
            state: "queued" | "delivered" | "failed";
            /**
             * Format: date-time
             * @description Inclusive. A valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z.
             */
            occurred_after?: string;
            /**
             * Format: date-time
             * @description Exclusive. A valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z.
             */
            occurred_before?: string;
        };
        /** @description How many failed events are queued again. */
        ResentEvents: {
            /** @description The number of events that are queued again. */
            resent: number;
            /** @description Whether more failed events match: one request queues at most 10000. */
            has_more: boolean;
        };
        /** @description A role, and what it allows. */
        RoleWithLabels: {
            /**
             * @description The name of the role.
             * @enum {string}
             */
            role: "admin" | "developer" | "support" | "viewer" | "evaluator";
            /** @description The labels of the role, in the same form as `required_labels` in a 403. */
            labels: string[];
        };
        /** @description An object that a search found. */
        SearchHit: {
            /**
             * @description The type of the object.
             * @enum {string}
             */
            type: "subscriber" | "feature" | "plan" | "member" | "service_account" | "audit_event";
            /** @description The id or key of the object. */
            id: string;
            /** @description The display name; for an audit entry, its method and route. */
            name: string | null;
            /** @description For a subscriber its plan, for a feature its kind, for a plan its kind and whether it is archived, for a member the e-mail, for a service account its role, for an audit entry its time. */
            context: string | null;
        };
        /** @description Public information about this service. */
        Service: {
            /** @description The version of the software. */
            version: string;
            /**
             * @description Who may sign up: anyone, or people with an invite.
             * @enum {string}
             */
            sign_up: "open" | "invited";
            /** @description The identity provider where people sign in with OpenID Connect, at /auth/oidc/start; null if there is none. */
            oidc: components["schemas"]["OidcProvider"] | null;
            /** @description Whether people sign in with a password. */
            local_sign_in: boolean;
        };
        /** @description A member for a program, which authenticates with its keys. */
        ServiceAccount: {
            /** @description The id of the service account. */
            service_account_id: string;
            /** @description The id of the service account's member. */
            member_id: string;
            /** @description The display name. */
            name: string;
            /**
             * @description The role of the service account.
             * @enum {string}
             */
            role: "admin" | "developer" | "support" | "viewer" | "evaluator";
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /** @description The error SERVICE_UNAVAILABLE. */
        ServiceUnavailableError: {
            error: {
                /** @constant */
                type: "api_error";
                /** @constant */
                code: "SERVICE_UNAVAILABLE";
                /** @description What to do next. */
                message: string;
                /** @description The same as in the X-Request-Id header. */
                request_id: string;
                /** @description More information, depending on the code. */
                details: null;
            };
        };
        SetGroupRolesInput: {
            /** @description A list of at most 100 different groups with their roles. */
            group_roles: {
                /** @description A group, as the identity provider names it. */
                group: string;
                /**
                 * @description One of admin, developer, support, viewer, evaluator.
                 * @enum {string}
                 */
                role: "admin" | "developer" | "support" | "viewer" | "evaluator";
            }[];
        };
        SignInInput: {
            /** @description The e-mail of the account. */
            email: string;
            /** @description The password of the account. */
            password: string;
        };
        SignUpInput: {
            /** @description An e-mail address of at most 254 characters. */
            email: string;
            /** @description A string of 8 to 1024 characters. */
            password: string;
            /** @description A string of 1 to 255 characters. */
            display_name: string;
            /** @description Required if people sign up only by invitation. The token of an invite: inv_…. */
            invite?: string;
        };
        /** @description One of the vendor's customers. */
        Subscriber: {
            /** @description Chosen by the vendor; never changes. */
            subscriber_id: string;
            /** @description The display name; null if none was set. */
            name: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /** @description A token with which a subscriber can read its own entitlements, from a browser or a phone. */
        SubscriberToken: {
            /** @description The token, to send as Authorization: Bearer <token>. */
            token: string;
            /**
             * Format: date-time
             * @description When the token expires.
             */
            expires_at: string;
        };
        /** @description A subscriber's subscription to a plan, active or canceled. */
        Subscription: {
            /** @description The id of the subscription. */
            id: string;
            /** @description The subscriber's id. */
            subscriber_id: string;
            /** @description The plan's key. */
            plan_id: string;
            /**
             * @description Whether the subscription is still active.
             * @enum {string}
             */
            status: "active" | "canceled";
            /**
             * Format: date-time
             * @description When the subscription began.
             */
            created_at: string;
            /** @description When the subscription ended; null while it is active. */
            canceled_at: string | null;
        };
        /** @description A personal sign-in. */
        Token: {
            /** @description The token, to send as Authorization: Bearer <token>. */
            token: string;
            /**
             * Format: date-time
             * @description When the token expires.
             */
            expires_at: string;
            /** @description The id of the person who signed in. */
            user_id: string;
        };
        /** @description The error UNAUTHORIZED. */
        UnauthorizedError: {
            error: {
                /** @constant */
                type: "invalid_request_error";
                /** @constant */
                code: "UNAUTHORIZED";
                /** @description What to do next. */
                message: string;
                /** @description The same as in the X-Request-Id header. */
                request_id: string;
                /** @description More information, depending on the code. */
                details: null;
            };
        };
        /** @description The error UNSUPPORTED_MEDIA_TYPE. */
        UnsupportedMediaTypeError: {
            error: {
                /** @constant */
                type: "invalid_request_error";
                /** @constant */
                code: "UNSUPPORTED_MEDIA_TYPE";
                /** @description What to do next. */
                message: string;
                /** @description The same as in the X-Request-Id header. */
                request_id: string;
                /** @description More information, depending on the code. */
                details: null;
            };
        };
        UpdateFeatureInput: {
            /** @description A string of 1 to 255 characters. */
            name?: string;
            /** @description A string of at most 2000 characters. */
            description?: string;
            /** @description The position in lists that people see, such as those of the console: the smallest comes first. Null for no position. A finite number, or null. */
            position?: number | null;
            /** @description The whole list, in display order. 1 to 100 unique strings, each of 1 to 255 characters. */
            options?: string[];
            /**
             * Format: date-time
             * @description CONFLICT if the feature has changed since you read it. The feature's updated_at as you read it.
             */
            expected_updated_at?: string;
        };
        UpdateMemberInput: {
            /** @description A string of 1 to 255 characters. */
            display_name?: string;
            /**
             * @description One of admin, developer, support, viewer, evaluator.
             * @enum {string}
             */
            role?: "admin" | "developer" | "support" | "viewer" | "evaluator";
            /**
             * @description Active or disabled.
             * @enum {string}
             */
            status?: "active" | "disabled";
            /**
             * Format: date-time
             * @description CONFLICT if the member has changed since you read it. The member's updated_at as you read it.
             */
            expected_updated_at?: string;
        };
        UpdateOrganizationInput: {
            /** @description A string of 1 to 255 characters. */
            name?: string;
            /** @description Whether the organization is for real customers or for tests; null to remove the setting. Live, test or null. */
            environment?: ("live" | "test") | null;
        };
        UpdatePlanInput: {
            /** @description A string of 1 to 255 characters. */
            name?: string;
            /** @description The position in lists that people see, such as those of the console: the smallest comes first. Null for no position. A finite number, or null. */
            position?: number | null;
            /** @description All grants: a feature that is left out is no longer granted. An object with a grant for each feature key. */
            grants?: {
                [key: string]: components["schemas"]["GrantInput"];
            };
            /**
             * Format: date-time
             * @description CONFLICT if the plan has changed since you read it. The plan's updated_at as you read it.
             */
            expected_updated_at?: string;
            /** @description Why the plan changes, or a link to a ticket, for the audit log and the history. A string of 1 to 500 characters. */
            note?: string;
        };
        UpdateServiceAccountInput: {
            /** @description A string of 1 to 255 characters. */
            name?: string;
        };
        UpdateSubscriberInput: {
            /** @description Null means no name. A string of 1 to 255 characters, or null. */
            name?: string | null;
            /**
             * Format: date-time
             * @description CONFLICT if the subscriber has changed since you read it. The subscriber's updated_at as you read it.
             */
            expected_updated_at?: string;
        };
        UpdateUserInput: {
            /** @description A string of 1 to 255 characters. */
            display_name?: string;
        };
        /** @description A person's own account. */
        User: {
            /** @description The id with which an admin can add the person as a member. */
            user_id: string;
            /** @description The e-mail of the account; null if an external identity provider gave none. */
            email: string | null;
            /** @description The display name in organizations that the person joins from now on. */
            display_name: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /** @description A browser's sign-in, or a console session opened with a Bearer token. */
        UserSession: {
            /** @description The id of the session. */
            id: string;
            /**
             * Format: date-time
             * @description When the session was opened.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the session was last used, to the minute.
             */
            last_used_at: string;
            /** @description The address from which the session was opened, if known. */
            ip: string | null;
            /** @description The User-Agent of the program that opened the session. */
            user_agent: string | null;
            /** @description Whether this request belongs to the session. */
            current: boolean;
        };
        /** @description The error VALIDATION_ERROR. */
        ValidationError: {
            error: {
                /** @constant */
                type: "invalid_request_error";
                /** @constant */
                code: "VALIDATION_ERROR";
                /** @description What to do next. */
                message: string;
                /** @description The same as in the X-Request-Id header. */
                request_id: string;
                /** @description More information, depending on the code. */
                details: {
                    /** @description An error for each invalid field. */
                    fields: {
                        /** @description The field, such as grants.seats.limit; empty for the whole body. */
                        path: string;
                        /** @description What is allowed in the field. */
                        message: string;
                    }[];
                };
            };
        };
        /** @description The address to which the events of the organization are sent. */
        Webhook: {
            /** @description The address to which events are sent. */
            url: string;
            /** @description The first 12 characters of the secret. */
            secret_prefix: string;
            /** @description Whether deliveries are paused. Events are still queued. */
            disabled: boolean;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /** @description One attempt to send an event to the receiver. */
        WebhookAttempt: {
            /** @description The number of the attempt, from 1. */
            number: number;
            /**
             * Format: date-time
             * @description When the attempt began.
             */
            started_at: string;
            /** @description The duration of the attempt, in milliseconds. */
            duration_ms: number;
            /** @description The status of the receiver's answer. */
            status: number | null;
            /** @description Why the attempt failed; null if the receiver acknowledged it. */
            error: string | null;
            /** @description The beginning of the receiver's answer. */
            answer: string | null;
            /** @description The headers as they were sent, by name; null if none were sent or stored. */
            headers: {
                [key: string]: string;
            } | null;
        };
        /** @description A change that makes receivers' caches stale, and the state of its delivery. */
        WebhookEvent: {
            /** @description The id of the event. */
            id: string;
            /**
             * @description The type of the event: entitlements.stale, plan.grants.updated or webhook.test.
             * @enum {string}
             */
            type: "entitlements.stale" | "plan.grants.updated" | "webhook.test";
            /**
             * @description The state of its delivery.
             * @enum {string}
             */
            state: "queued" | "delivered" | "failed";
            /** @description The number of attempts made. */
            attempts: number;
            /**
             * Format: date-time
             * @description When it happened.
             */
            occurred_at: string;
            /** @description When the next attempt is due; null once finished. */
            due_at: string | null;
            /** @description When it was delivered or failed. */
            finished_at: string | null;
        };
        /** @description The number of events in each state. */
        WebhookEventCounts: {
            /** @description The number of events that wait for an attempt. */
            queued: number;
            /** @description The number of queued events whose last attempt failed. */
            retrying: number;
            /** @description The number of events that ran out of attempts. */
            failed: number;
        };
        /** @description An event, what was sent, and every attempt to send it. */
        WebhookEventWithAttempts: {
            /** @description The id of the event. */
            id: string;
            /**
             * @description The type of the event: entitlements.stale, plan.grants.updated or webhook.test.
             * @enum {string}
             */
            type: "entitlements.stale" | "plan.grants.updated" | "webhook.test";
            /**
             * @description The state of its delivery.
             * @enum {string}
             */
            state: "queued" | "delivered" | "failed";
            /** @description The number of attempts made. */
            attempts: number;
            /**
             * Format: date-time
             * @description When it happened.
             */
            occurred_at: string;
            /** @description When the next attempt is due; null once finished. */
            due_at: string | null;
            /** @description When it was delivered or failed. */
            finished_at: string | null;
            /** @description The bytes that are signed and sent, as text. */
            body: string;
            /** @description The attempts made, oldest first. */
            attempts_made: components["schemas"]["WebhookAttempt"][];
        };
        /** @description A test of the receiver: nothing is stale. There is only one attempt. */
        WebhookTestEvent: {
            /** @description The id of the event, the same on every attempt: use it to recognize duplicates. */
            id: string;
            /** @constant */
            type: "webhook.test";
            /**
             * Format: date-time
             * @description When it happened.
             */
            occurred_at: string;
            /** @description The organization in which it happened. */
            organization_id: string;
        };
        /** @description The webhook, and its secret if the secret was just created. */
        WebhookWithSecret: {
            /** @description The address to which events are sent. */
            url: string;
            /** @description The secret with which receivers verify signatures; shown only once. */
            secret?: string;
            /** @description The first 12 characters of the secret. */
            secret_prefix: string;
            /** @description Whether deliveries are paused. Events are still queued. */
            disabled: boolean;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /** @description A failure of a bulk evaluation in the format of OFREP. */
        bulkEvaluationFailure: {
            /**
             * @description `PARSE_ERROR`: the request cannot be read. `TARGETING_KEY_MISSING`: the context does not name a subscriber. `INVALID_CONTEXT`: there is no such subscriber. `GENERAL`: anything else, such as a used-up allotment.
             * @enum {string}
             */
            errorCode: "PARSE_ERROR" | "TARGETING_KEY_MISSING" | "INVALID_CONTEXT" | "GENERAL";
            /** @description What to do next. */
            errorDetails: string;
        };
        bulkEvaluationRequest: {
            /** @description OpenFeature's evaluation context. Only targetingKey is read. */
            context: components["schemas"]["context"];
        };
        /** @description Every feature of the catalog as a flag, newest feature first. */
        bulkEvaluationSuccess: {
            /** @description An entitlement for each feature. */
            flags: components["schemas"]["evaluationSuccess"][];
            /** @description Only for a subscriber's token: a stream that says when to evaluate again. The `ETag` does not cover it. */
            eventStreams?: {
                /** @constant */
                type: "sse";
                /** @description The address of the stream. It can be opened for five minutes, and needs no header. */
                url: string;
            }[];
        };
        context: {
            /** @description The id of a subscriber. */
            targetingKey: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A failure in the format of OFREP. */
        evaluationFailure: {
            /** @description The key in the path. */
            key: string;
            /**
             * @description `PARSE_ERROR`: the request cannot be read. `TARGETING_KEY_MISSING`: the context does not name a subscriber. `INVALID_CONTEXT`: there is no such subscriber. `GENERAL`: anything else, such as a used-up allotment.
             * @enum {string}
             */
            errorCode: "PARSE_ERROR" | "TARGETING_KEY_MISSING" | "INVALID_CONTEXT" | "GENERAL";
            /** @description What to do next. */
            errorDetails: string;
        };
        evaluationRequest: {
            /** @description OpenFeature's evaluation context. Only targetingKey is read. */
            context: components["schemas"]["context"];
        };
        /** @description A subscriber's entitlement to one feature, as a flag of OFREP. */
        evaluationSuccess: {
            /** @description The feature's key. */
            key: string;
            /** @description For a flag, whether it is allowed; for a limit, its number, or 9007199254740991 if it is unlimited; for a config, its value. Left out if nothing grants a config, so that the product's default is used. */
            value?: components["schemas"]["JsonValue"];
            /**
             * @description `TARGETING_MATCH` for an override, `STATIC` for a grant of the plan, `DISABLED` for neither.
             * @enum {string}
             */
            reason: "TARGETING_MATCH" | "STATIC" | "DISABLED";
            /**
             * @description Where the value comes from.
             * @enum {string}
             */
            variant: "override" | "plan" | "none";
            /** @description The entitlement in the terms of this service. */
            metadata: {
                /**
                 * @description The feature's kind.
                 * @enum {string}
                 */
                kind: "flag" | "limit" | "config";
                /** @description Whether the subscriber may use the feature, as a check answers it. */
                allowed: boolean;
                /**
                 * @description The same as `variant`.
                 * @enum {string}
                 */
                source: "override" | "plan" | "none";
                /** @description Whether the feature is a limit that is unlimited for the subscriber. */
                unlimited: boolean;
                /**
                 * Format: date-time
                 * @description When the override expires, if it is the source and expires.
                 */
                expires_at?: string;
            };
        };
        /** @description The catalog has no feature with this key. */
        flagNotFound: {
            /** @description The key in the path. */
            key: string;
            /** @constant */
            errorCode: "FLAG_NOT_FOUND";
            /** @description What to do next. */
            errorDetails: string;
        };
    };
    responses: {
        /** @description INVALID_JSON */
        InvalidJsonError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidJsonError"];
            };
        };
        /** @description UNAUTHORIZED */
        UnauthorizedError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnauthorizedError"];
            };
        };
        /** @description FORBIDDEN */
        ForbiddenError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ForbiddenError"];
            };
        };
        /** @description NOT_FOUND */
        NotFoundError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Idempotency-Replayed": components["headers"]["Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotFoundError"];
            };
        };
        /** @description CONFLICT */
        ConflictError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Idempotency-Replayed": components["headers"]["Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConflictError"];
            };
        };
        /** @description BODY_TOO_LARGE */
        BodyTooLargeError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BodyTooLargeError"];
            };
        };
        /** @description UNSUPPORTED_MEDIA_TYPE */
        UnsupportedMediaTypeError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnsupportedMediaTypeError"];
            };
        };
        /** @description VALIDATION_ERROR */
        ValidationError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Idempotency-Replayed": components["headers"]["Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ValidationError"];
            };
        };
        /** @description RATE_LIMITED */
        RateLimitedError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateLimitedError"];
            };
        };
        /** @description INTERNAL_ERROR */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalError"];
            };
        };
        /** @description SERVICE_UNAVAILABLE */
        ServiceUnavailableError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ServiceUnavailableError"];
            };
        };
        /** @description CONFLICT, OPTION_IN_USE */
        ConflictErrorOrOptionInUseError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Idempotency-Replayed": components["headers"]["Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConflictError"] | components["schemas"]["OptionInUseError"];
            };
        };
        /** @description CONFLICT, PLAN_ARCHIVED */
        ConflictErrorOrPlanArchivedError: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Idempotency-Replayed": components["headers"]["Replayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConflictError"] | components["schemas"]["PlanArchivedError"];
            };
        };
        /** @description PARSE_ERROR, INVALID_CONTEXT, GENERAL, TARGETING_KEY_MISSING */
        evaluationFailure400: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["evaluationFailure"];
            };
        };
        /** @description FLAG_NOT_FOUND */
        flagNotFound404: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["flagNotFound"];
            };
        };
        /** @description GENERAL */
        evaluationFailure413: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["evaluationFailure"];
            };
        };
        /** @description GENERAL */
        evaluationFailure500: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["evaluationFailure"];
            };
        };
        /** @description GENERAL */
        evaluationFailure503: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["evaluationFailure"];
            };
        };
        /** @description PARSE_ERROR, GENERAL, INVALID_CONTEXT, TARGETING_KEY_MISSING */
        bulkEvaluationFailure400: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["bulkEvaluationFailure"];
            };
        };
        /** @description GENERAL */
        bulkEvaluationFailure413: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["bulkEvaluationFailure"];
            };
        };
        /** @description GENERAL */
        bulkEvaluationFailure500: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["bulkEvaluationFailure"];
            };
        };
        /** @description GENERAL */
        bulkEvaluationFailure503: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["bulkEvaluationFailure"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The id of the request, as in the log and the audit log. */
        RequestId: string;
        /** @description How many seconds to wait before trying again. */
        RetryAfter: number;
        /** @description How to authenticate: `ApiKey`, in the header `X-API-Key`, or `Bearer`, in the header `Authorization`. */
        Authenticate: string;
        /** @description The client may cache the answer, and must revalidate it before each use. */
        Revalidated: "private, no-cache";
        /** @description A strong tag of the answer, to send in `If-None-Match` next time. */
        ETag: string;
        /** @description Present if the request repeats an earlier one with the same `Idempotency-Key`, and this is the stored first answer. */
        Replayed: "true";
        /** @description The token of the console session. Only requests from the service's own pages may use it. */
        Session: string;
    };
    pathItems: never;
}
export interface operations {
    listFeatures: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "features": [
                     *         {
                     *           "key": "seats",
                     *           "name": "Seats",
                     *           "description": "",
                     *           "kind": "limit",
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "updated_at": "2026-11-22T09:00:00.000Z"
                     *         },
                     *         {
                     *           "key": "region",
                     *           "name": "Region",
                     *           "description": "",
                     *           "kind": "config",
                     *           "value_type": "enum",
                     *           "options": [
                     *             "eu",
                     *             "us",
                     *             "ap"
                     *           ],
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "updated_at": "2026-11-22T09:00:00.000Z"
                     *         },
                     *         {
                     *           "key": "sso",
                     *           "name": "Single sign-on",
                     *           "description": "",
                     *           "kind": "flag",
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "updated_at": "2026-11-22T09:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        features: components["schemas"]["Feature"][];
                    };
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createFeature: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "sso",
                 *       "name": "Single sign-on",
                 *       "kind": "flag"
                 *     }
                 */
                "application/json": components["schemas"]["CreateFeatureInput"];
            };
        };
        responses: {
            /** @description Something in the vendor's product that a plan can grant. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "sso",
                     *       "name": "Single sign-on",
                     *       "description": "",
                     *       "kind": "flag",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Feature"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getFeature: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The key of the feature.
                 * @example region
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Something in the vendor's product that a plan can grant. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "region",
                     *       "name": "Region",
                     *       "description": "",
                     *       "kind": "config",
                     *       "value_type": "enum",
                     *       "options": [
                     *         "eu",
                     *         "us",
                     *         "ap"
                     *       ],
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Feature"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteFeature: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The key of the feature.
                 * @example exports
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateFeature: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The key of the feature.
                 * @example region
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "options": [
                 *         "eu",
                 *         "us",
                 *         "ap"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UpdateFeatureInput"];
            };
        };
        responses: {
            /** @description Something in the vendor's product that a plan can grant. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "region",
                     *       "name": "Region",
                     *       "description": "",
                     *       "kind": "config",
                     *       "value_type": "enum",
                     *       "options": [
                     *         "eu",
                     *         "us",
                     *         "ap"
                     *       ],
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Feature"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictErrorOrOptionInUseError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listFeatureHistory: {
        parameters: {
            query?: {
                /**
                 * @description The number of items to list; more than 100 counts as 100. An integer from 1 to 100.
                 * @example 1
                 */
                limit?: number;
                /** @description The id of an item of this history. */
                starting_after?: string;
                /** @description Whether to include the changes of plans' grants for the feature. True, false, 1 or 0. */
                with_plans?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The key of the feature.
                 * @example region
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "history": [
                     *         {
                     *           "id": "MTc5NTE2NTIwMDAwMC4wc2VhdH2",
                     *           "group": "MTc5NTE2NTIwMDAwMC2",
                     *           "at": "2026-11-22T09:00:00.000Z",
                     *           "feature": null,
                     *           "field": "options",
                     *           "from": [
                     *             "eu",
                     *             "us"
                     *           ],
                     *           "to": [
                     *             "eu",
                     *             "us",
                     *             "ap"
                     *           ],
                     *           "by": {
                     *             "member_id": "01KAP8Z6W00000000000000004",
                     *             "display_name": "admin",
                     *             "is_service_account": true,
                     *             "removed": false
                     *           },
                     *           "note": null
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        history: components["schemas"]["FieldItem"][];
                        /** @description Whether there is a next page, which starts after the last id of this page. */
                        has_more: boolean;
                    };
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listPlans: {
        parameters: {
            query?: {
                /** @description Whether archived plans are listed too. True, false, 1 or 0. */
                include_archived?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "plans": [
                     *         {
                     *           "key": "pro",
                     *           "name": "Pro",
                     *           "kind": "standard",
                     *           "grants": {
                     *             "region": {
                     *               "kind": "config",
                     *               "value": "eu"
                     *             },
                     *             "seats": {
                     *               "kind": "limit",
                     *               "limit": 10
                     *             },
                     *             "sso": {
                     *               "kind": "flag"
                     *             }
                     *           },
                     *           "archived_at": null,
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "updated_at": "2026-11-22T09:00:00.000Z"
                     *         },
                     *         {
                     *           "key": "starter",
                     *           "name": "Starter (monthly)",
                     *           "kind": "standard",
                     *           "grants": {
                     *             "seats": {
                     *               "kind": "limit",
                     *               "limit": 10
                     *             }
                     *           },
                     *           "archived_at": null,
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "updated_at": "2026-11-22T09:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        plans: components["schemas"]["Plan"][];
                    };
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createPlan: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "starter",
                 *       "name": "Starter",
                 *       "grants": {
                 *         "seats": {
                 *           "kind": "limit",
                 *           "limit": 10
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CreatePlanInput"];
            };
        };
        responses: {
            /** @description A set of grants that subscribers subscribe to. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "starter",
                     *       "name": "Starter",
                     *       "kind": "standard",
                     *       "grants": {
                     *         "seats": {
                     *           "kind": "limit",
                     *           "limit": 10
                     *         }
                     *       },
                     *       "archived_at": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Plan"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The key of the plan.
                 * @example pro
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A set of grants that subscribers subscribe to. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "pro",
                     *       "name": "Pro",
                     *       "kind": "standard",
                     *       "grants": {
                     *         "region": {
                     *           "kind": "config",
                     *           "value": "eu"
                     *         },
                     *         "seats": {
                     *           "kind": "limit",
                     *           "limit": 10
                     *         },
                     *         "sso": {
                     *           "kind": "flag"
                     *         }
                     *       },
                     *       "archived_at": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Plan"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deletePlan: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The key of the plan.
                 * @example trial
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updatePlan: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The key of the plan.
                 * @example starter
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Starter (monthly)"
                 *     }
                 */
                "application/json": components["schemas"]["UpdatePlanInput"];
            };
        };
        responses: {
            /** @description A set of grants that subscribers subscribe to. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "starter",
                     *       "name": "Starter (monthly)",
                     *       "kind": "standard",
                     *       "grants": {
                     *         "seats": {
                     *           "kind": "limit",
                     *           "limit": 10
                     *         }
                     *       },
                     *       "archived_at": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Plan"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    previewPlanUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The key of the plan.
                 * @example starter
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "grants": {
                 *         "sso": {
                 *           "kind": "flag"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PreviewPlanUpdateInput"];
            };
        };
        responses: {
            /** @description What an update of a plan would do. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "subscribers": {
                     *         "value": 0,
                     *         "is_exact": true
                     *       },
                     *       "changes": [
                     *         {
                     *           "feature": "seats",
                     *           "from": {
                     *             "kind": "limit",
                     *             "limit": 10
                     *           },
                     *           "to": null,
                     *           "hidden_by_override": {
                     *             "value": 0,
                     *             "is_exact": true
                     *           }
                     *         },
                     *         {
                     *           "feature": "sso",
                     *           "from": null,
                     *           "to": {
                     *             "kind": "flag"
                     *           },
                     *           "hidden_by_override": {
                     *             "value": 0,
                     *             "is_exact": true
                     *           }
                     *         }
                     *       ],
                     *       "problems": []
                     *     }
                     */
                    "application/json": components["schemas"]["PlanPreview"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    previewCatalog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "changes": [
                 *         {
                 *           "operation": "update_feature",
                 *           "key": "seats",
                 *           "input": {
                 *             "name": "Places"
                 *           }
                 *         },
                 *         {
                 *           "operation": "delete_feature",
                 *           "key": "seats"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["PreviewCatalogInput"];
            };
        };
        responses: {
            /** @description The changes that would be refused. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "refusals": [
                     *         {
                     *           "index": 1,
                     *           "code": "CONFLICT",
                     *           "message": "Feature \"seats\" is still referenced: plan \"starter\" grants it. Remove it there first; archived plans and expired overrides count.",
                     *           "details": {
                     *             "field": "feature",
                     *             "value": "seats"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CatalogPreview"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    archivePlan: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The key of the plan.
                 * @example starter
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A set of grants that subscribers subscribe to. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "starter",
                     *       "name": "Starter (monthly)",
                     *       "kind": "standard",
                     *       "grants": {
                     *         "seats": {
                     *           "kind": "limit",
                     *           "limit": 10
                     *         }
                     *       },
                     *       "archived_at": "2026-11-22T09:00:00.000Z",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Plan"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    unarchivePlan: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The key of the plan.
                 * @example starter
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A set of grants that subscribers subscribe to. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "starter",
                     *       "name": "Starter (monthly)",
                     *       "kind": "standard",
                     *       "grants": {
                     *         "seats": {
                     *           "kind": "limit",
                     *           "limit": 10
                     *         }
                     *       },
                     *       "archived_at": null,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Plan"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listPlanHistory: {
        parameters: {
            query?: {
                /**
                 * @description The number of items to list; more than 100 counts as 100. An integer from 1 to 100.
                 * @example 1
                 */
                limit?: number;
                /** @description The id of an item of this history. */
                starting_after?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The key of the plan.
                 * @example starter
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "history": [
                     *         {
                     *           "id": "MTc5NTE2NTIwMDAwMC4wc2VhdH1",
                     *           "group": "MTc5NTE2NTIwMDAwMC1",
                     *           "at": "2026-11-22T09:00:00.000Z",
                     *           "feature": null,
                     *           "field": "archived",
                     *           "from": true,
                     *           "to": false,
                     *           "by": {
                     *             "member_id": "01KAP8Z6W00000000000000004",
                     *             "display_name": "admin",
                     *             "is_service_account": true,
                     *             "removed": false
                     *           },
                     *           "note": null
                     *         }
                     *       ],
                     *       "has_more": true
                     *     }
                     */
                    "application/json": {
                        history: components["schemas"]["FieldItem"][];
                        /** @description Whether there is a next page, which starts after the last id of this page. */
                        has_more: boolean;
                    };
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listSubscribers: {
        parameters: {
            query?: {
                /**
                 * @description The number of items to list; more than 100 counts as 100. An integer from 1 to 100.
                 * @example 2
                 */
                limit?: number;
                /** @description A subscriber id: 1 to 255 characters without white space, slashes or control characters. */
                starting_after?: string;
                /**
                 * @description The start of the id or of the name, or, from 3 characters, any part of the name. Case is ignored. A string of 1 to 255 characters.
                 * @example acme
                 */
                search?: string;
                /** @description Matches like `search`, and, from 3 characters, also the end of the id, or a name that contains all words of the text in any order. A string of 1 to 255 characters. */
                text?: string;
                /** @description Only subscribers with an active subscription to this plan. The key of a plan. */
                plan_id?: string;
                /** @description Only subscribers without an active subscription (true), or with one (false). True or false. */
                without_plan?: boolean;
                /** @description Only subscribers with a live override of this feature. The key of a feature. */
                with_override_of?: string;
                /** @description Only subscribers without a live override of any of these features. At most 100 keys of features. */
                without_override_of?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "subscribers": [
                     *         {
                     *           "subscriber_id": "acme",
                     *           "name": "Acme Inc.",
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "updated_at": "2026-11-22T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        subscribers: components["schemas"]["Subscriber"][];
                        /** @description Whether there is a next page, which starts after the last id of this page. */
                        has_more: boolean;
                    };
                    "application/x-ndjson": {
                        [key: string]: unknown;
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createSubscriber: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "subscriber_id": "acme",
                 *       "name": "Acme"
                 *     }
                 */
                "application/json": components["schemas"]["CreateSubscriberInput"];
            };
        };
        responses: {
            /** @description One of the vendor's customers. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "subscriber_id": "acme",
                     *       "name": "Acme",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Subscriber"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    importSubscribers: {
        parameters: {
            query?: {
                /** @description Whether to change nothing, and only report what the import would do. True or false. */
                dry_run?: boolean;
                /** @description Whether to add `each` to the details of the import's audit entry: the values that every changed line set, if they are the same in all lines. True or false. */
                with_each?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "subscriber_id": "globex",
                 *       "name": "Globex",
                 *       "plan_id": "pro",
                 *       "overrides": {
                 *         "seats": {
                 *           "kind": "limit",
                 *           "limit": 40
                 *         }
                 *       }
                 *     }
                 */
                "application/x-ndjson": components["schemas"]["ImportLine"];
            };
        };
        responses: {
            /** @description The result of an import. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "lines": 1,
                     *       "created": 1,
                     *       "updated": 0,
                     *       "unchanged": 0,
                     *       "failed": 0,
                     *       "errors": []
                     *     }
                     */
                    "application/json": components["schemas"]["ImportResult"];
                    "application/x-ndjson": {
                        progress: components["schemas"]["ImportProgress"];
                    } | {
                        result: components["schemas"]["ImportResult"];
                    } | components["schemas"]["ServiceUnavailableError"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getSubscriber: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The subscriber's id, chosen by the vendor.
                 * @example acme
                 */
                subscriber_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One of the vendor's customers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "subscriber_id": "acme",
                     *       "name": "Acme Inc.",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Subscriber"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteSubscriber: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The subscriber's id, chosen by the vendor.
                 * @example acme
                 */
                subscriber_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateSubscriber: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The subscriber's id, chosen by the vendor.
                 * @example acme
                 */
                subscriber_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Acme Inc."
                 *     }
                 */
                "application/json": components["schemas"]["UpdateSubscriberInput"];
            };
        };
        responses: {
            /** @description One of the vendor's customers. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "subscriber_id": "acme",
                     *       "name": "Acme Inc.",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Subscriber"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The subscriber's id, chosen by the vendor.
                 * @example acme
                 */
                subscriber_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether the receiver acknowledged the newest event about a subscriber. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "state": "none",
                     *       "event_id": null,
                     *       "occurred_at": null,
                     *       "delivered_at": null,
                     *       "next_attempt_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /** @description The number of items to list; more than 100 counts as 100. An integer from 1 to 100. */
                limit?: number;
                /** @description A subscription id: a ULID of 26 upper-case characters. */
                starting_after?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The subscriber's id, chosen by the vendor.
                 * @example acme
                 */
                subscriber_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "subscriptions": [
                     *         {
                     *           "id": "01KAP8Z6W00000000000000001",
                     *           "subscriber_id": "acme",
                     *           "plan_id": "starter",
                     *           "status": "canceled",
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "canceled_at": "2026-11-22T09:00:00.000Z"
                     *         },
                     *         {
                     *           "id": "01KAP8Z6W00000000000000002",
                     *           "subscriber_id": "acme",
                     *           "plan_id": "pro",
                     *           "status": "active",
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "canceled_at": null
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        subscriptions: components["schemas"]["Subscription"][];
                        /** @description Whether there is a next page, which starts after the last id of this page. */
                        has_more: boolean;
                    };
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The subscriber's id, chosen by the vendor.
                 * @example acme
                 */
                subscriber_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "plan_id": "starter"
                 *     }
                 */
                "application/json": components["schemas"]["CreateSubscriptionInput"];
            };
        };
        responses: {
            /** @description A subscriber's subscription to a plan, active or canceled. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01KAP8Z6W00000000000000001",
                     *       "subscriber_id": "acme",
                     *       "plan_id": "starter",
                     *       "status": "active",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "canceled_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictErrorOrPlanArchivedError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    changeSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The subscriber's id, chosen by the vendor.
                 * @example acme
                 */
                subscriber_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "plan_id": "pro"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeSubscriptionInput"];
            };
        };
        responses: {
            /** @description A subscriber's subscription to a plan, active or canceled. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01KAP8Z6W00000000000000002",
                     *       "subscriber_id": "acme",
                     *       "plan_id": "pro",
                     *       "status": "active",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "canceled_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictErrorOrPlanArchivedError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    cancelSubscription: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The subscriber's id, chosen by the vendor.
                 * @example acme
                 */
                subscriber_id: string;
                /**
                 * @description The id of the subscription.
                 * @example 01KAP8Z6W00000000000000002
                 */
                subscription_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelSubscriptionInput"];
            };
        };
        responses: {
            /** @description A subscriber's subscription to a plan, active or canceled. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01KAP8Z6W00000000000000002",
                     *       "subscriber_id": "acme",
                     *       "plan_id": "pro",
                     *       "status": "canceled",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "canceled_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getOverride: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The subscriber's id, chosen by the vendor.
                 * @example acme
                 */
                subscriber_id: string;
                /**
                 * @description The key of the feature.
                 * @example seats
                 */
                feature_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Replaces, for one subscriber and one feature, what the plan grants, from its start until it expires or is deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01KAP8Z6W00000000000000003",
                     *       "subscriber_id": "acme",
                     *       "feature": "seats",
                     *       "kind": "limit",
                     *       "limit": 25,
                     *       "expires_at": "2036-01-31T09:00:00.000Z",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Override"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    putOverride: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The subscriber's id, chosen by the vendor.
                 * @example acme
                 */
                subscriber_id: string;
                /**
                 * @description The key of the feature.
                 * @example seats
                 */
                feature_key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "limit",
                 *       "limit": 25,
                 *       "expires_at": "2036-01-31T09:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["OverrideInput"];
            };
        };
        responses: {
            /** @description Replaces, for one subscriber and one feature, what the plan grants, from its start until it expires or is deleted. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01KAP8Z6W00000000000000003",
                     *       "subscriber_id": "acme",
                     *       "feature": "seats",
                     *       "kind": "limit",
                     *       "limit": 25,
                     *       "expires_at": "2036-01-31T09:00:00.000Z",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Override"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteOverride: {
        parameters: {
            query?: {
                /** @description CONFLICT if the override has changed since you read it. The override's updated_at as you read it. */
                expected_updated_at?: string;
            };
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The subscriber's id, chosen by the vendor.
                 * @example acme
                 */
                subscriber_id: string;
                /**
                 * @description The key of the feature.
                 * @example seats
                 */
                feature_key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listOverrides: {
        parameters: {
            query?: {
                /** @description Whether overrides that have expired or not started are listed too. True or false. */
                include_expired?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The subscriber's id, chosen by the vendor.
                 * @example acme
                 */
                subscriber_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "overrides": [
                     *         {
                     *           "id": "01KAP8Z6W00000000000000003",
                     *           "subscriber_id": "acme",
                     *           "feature": "seats",
                     *           "kind": "limit",
                     *           "limit": 25,
                     *           "expires_at": "2036-01-31T09:00:00.000Z",
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "updated_at": "2026-11-22T09:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        overrides: components["schemas"]["Override"][];
                    };
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listAllOverrides: {
        parameters: {
            query?: {
                /** @description The number of items to list; more than 100 counts as 100. An integer from 1 to 100. */
                limit?: number;
                /** @description The id of an override: a ULID of 26 upper-case characters. */
                starting_after?: string;
                /** @description The key of a feature. */
                feature?: string;
                /** @description A subscriber id: 1 to 255 characters without white space, slashes or control characters. */
                subscriber_id?: string;
                /**
                 * @description Only live overrides (true), or overrides that have expired or not started (false). True or false.
                 * @example true
                 */
                live?: boolean;
                /** @description Only overrides without expiry (true), or with an expiry (false). True or false. */
                permanent?: boolean;
                /** @description Inclusive. A valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z. */
                expires_after?: string;
                /** @description Exclusive. A valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z. */
                expires_before?: string;
                /**
                 * @description One of feature, expires.
                 * @example expires
                 */
                order?: "feature" | "expires";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "overrides": [
                     *         {
                     *           "id": "01KAP8Z6W00000000000000003",
                     *           "subscriber_id": "acme",
                     *           "feature": "seats",
                     *           "kind": "limit",
                     *           "limit": 25,
                     *           "expires_at": "2036-01-31T09:00:00.000Z",
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "updated_at": "2026-11-22T09:00:00.000Z",
                     *           "set_by": {
                     *             "member_id": "01KAP8Z6W00000000000000004",
                     *             "display_name": "admin",
                     *             "is_service_account": true,
                     *             "removed": false
                     *           }
                     *         },
                     *         {
                     *           "id": "01KAP8Z6W00000000000000005",
                     *           "subscriber_id": "globex",
                     *           "feature": "seats",
                     *           "kind": "limit",
                     *           "limit": 40,
                     *           "expires_at": null,
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "updated_at": "2026-11-22T09:00:00.000Z",
                     *           "set_by": {
                     *             "member_id": "01KAP8Z6W00000000000000004",
                     *             "display_name": "admin",
                     *             "is_service_account": true,
                     *             "removed": false
                     *           }
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        overrides: components["schemas"]["OverrideWithSetter"][];
                        /** @description Whether there is a next page, which starts after the last id of this page. */
                        has_more: boolean;
                    };
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    check: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The subscriber's id, chosen by the vendor.
                 * @example acme
                 */
                subscriber_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "feature": "seats"
                 *     }
                 */
                "application/json": components["schemas"]["CheckInput"];
            };
        };
        responses: {
            /** @description One entitlement if the body has `feature`; a list of them if it has `features`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "feature": "seats",
                     *       "kind": "limit",
                     *       "allowed": true,
                     *       "limit": 25,
                     *       "source": "override",
                     *       "expires_at": "2036-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Entitlement"] | components["schemas"]["EntitlementList"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getEntitlements: {
        parameters: {
            query?: {
                /** @description How many seconds a signed snapshot is valid. It may expire sooner, at `valid_until`. Ignored without `Accept: application/jwt`. An integer from 60 to 31536000. */
                max_age?: number;
            };
            header?: {
                /** @description One or several `ETag`s of answers that the caller has. If one of them still matches, the answer is 304 without a body. */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The subscriber's id, chosen by the vendor.
                 * @example acme
                 */
                subscriber_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What a subscriber may do: one item for every feature of the catalog, newest feature first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["Revalidated"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "subscriber_id": "acme",
                     *       "plan": "pro",
                     *       "entitlements": [
                     *         {
                     *           "feature": "seats",
                     *           "kind": "limit",
                     *           "allowed": true,
                     *           "limit": 25,
                     *           "source": "override",
                     *           "expires_at": "2036-01-31T09:00:00.000Z"
                     *         },
                     *         {
                     *           "feature": "region",
                     *           "kind": "config",
                     *           "allowed": true,
                     *           "value": "eu",
                     *           "source": "plan",
                     *           "expires_at": null
                     *         },
                     *         {
                     *           "feature": "sso",
                     *           "kind": "flag",
                     *           "allowed": true,
                     *           "source": "plan",
                     *           "expires_at": null
                     *         }
                     *       ],
                     *       "valid_until": "2036-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Entitlements"];
                };
            };
            /** @description One of the tags in `If-None-Match` still matches, so there is no body. This counts as an eval too. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["Revalidated"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    entitlementsOf: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "subscriber_ids": [
                 *         "acme",
                 *         "initech"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["EntitlementsOfInput"];
            };
        };
        responses: {
            /** @description The entitlements of several subscribers. Each requested id is in one of the three lists. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "snapshots": [
                     *         {
                     *           "subscriber_id": "acme",
                     *           "plan": "pro",
                     *           "entitlements": [
                     *             {
                     *               "feature": "seats",
                     *               "kind": "limit",
                     *               "allowed": true,
                     *               "limit": 25,
                     *               "source": "override",
                     *               "expires_at": "2036-01-31T09:00:00.000Z"
                     *             },
                     *             {
                     *               "feature": "region",
                     *               "kind": "config",
                     *               "allowed": true,
                     *               "value": "eu",
                     *               "source": "plan",
                     *               "expires_at": null
                     *             },
                     *             {
                     *               "feature": "sso",
                     *               "kind": "flag",
                     *               "allowed": true,
                     *               "source": "plan",
                     *               "expires_at": null
                     *             }
                     *           ],
                     *           "valid_until": "2036-01-31T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "unknown": [
                     *         "initech"
                     *       ],
                     *       "left": []
                     *     }
                     */
                    "application/json": components["schemas"]["EntitlementsOfMany"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getChanges: {
        parameters: {
            query?: {
                /**
                 * @description Where to continue; if left out, only changes from now on are read. A cursor from an earlier answer.
                 * @example OWY4NmQwODE4ODRjN2Q2NS5tOHkyazcwMC54OHUuLg
                 */
                after?: string;
                /**
                 * @description How many seconds to wait for a change if there is none yet. An integer from 0 to 30.
                 * @example 20
                 */
                wait?: number;
                /** @description How many changes to read; more than 1000 counts as 1000. An integer from 1 to 1000. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changes after a cursor. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "changes": [
                     *         {
                     *           "id": "01KAP8Z6W00000000000000006",
                     *           "type": "entitlements.stale",
                     *           "occurred_at": "2026-11-22T09:00:00.000Z",
                     *           "organization_id": "01KAP8Z6W00000000000000007",
                     *           "subscriber_id": "acme",
                     *           "cause": "override",
                     *           "features": [
                     *             "seats"
                     *           ]
                     *         }
                     *       ],
                     *       "cursor": "OWY4NmQwODE4ODRjN2Q2NS5tOHkyazd4Yy54OHYuLg",
                     *       "has_more": false,
                     *       "reset": false
                     *     }
                     */
                    "application/json": components["schemas"]["Changes"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getFollowers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clients that follow the changes, and the latest change that was sent to them. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 0,
                     *       "last_change": null,
                     *       "handed_out_at": null,
                     *       "delay_ms": null
                     *     }
                     */
                    "application/json": components["schemas"]["Followers"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createSubscriberToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The subscriber's id, chosen by the vendor.
                 * @example acme
                 */
                subscriber_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "expires_in": 900
                 *     }
                 */
                "application/json": components["schemas"]["CreateSubscriberTokenInput"];
            };
        };
        responses: {
            /** @description A token with which a subscriber can read its own entitlements, from a browser or a phone. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIwMUtBUDhaNlcwIn0.c2FtcGxl",
                     *       "expires_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SubscriberToken"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getEvalUsage: {
        parameters: {
            query?: {
                /** @description The month (UTC); if left out, the current month. A calendar month such as 2026-11. */
                month?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The evals of a calendar month. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "month": "2026-11",
                     *       "used": 5,
                     *       "allotment": null,
                     *       "days": [
                     *         {
                     *           "date": "2026-11-22",
                     *           "used": 5
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EvalUsage"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getEvalUsageByFeature: {
        parameters: {
            query?: {
                /**
                 * @description The first day (UTC). If left out: the first day of the month of `to`. A date such as 2026-11-01.
                 * @example 2026-01-01
                 */
                from?: string;
                /**
                 * @description The last day (UTC). If left out: the last day of the current month. A date such as 2026-11-01.
                 * @example 2026-01-31
                 */
                to?: string;
                /** @description Only this feature. The key of a feature. */
                feature?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How often each feature was checked. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "from": "2026-01-01",
                     *       "to": "2026-01-31",
                     *       "features": [
                     *         {
                     *           "feature": "seats",
                     *           "granted": 1200,
                     *           "denied": 34,
                     *           "days": [
                     *             {
                     *               "date": "2026-11-22",
                     *               "granted": 1200,
                     *               "denied": 34
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "is_exact": false
                     *     }
                     */
                    "application/json": components["schemas"]["EvalUsageByFeature"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listDenials: {
        parameters: {
            query?: {
                /**
                 * @description The first day (UTC). If left out: the first day of the month of `to`. A date such as 2026-11-01.
                 * @example 2026-01-01
                 */
                from?: string;
                /**
                 * @description The last day (UTC). If left out: the last day of the current month. A date such as 2026-11-01.
                 * @example 2026-01-31
                 */
                to?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The key of the feature.
                 * @example seats
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "subscribers": [
                     *         {
                     *           "subscriber_id": "acme",
                     *           "name": "Acme Inc.",
                     *           "count": 34
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        subscribers: components["schemas"]["DeniedSubscriber"][];
                    };
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getExplanation: {
        parameters: {
            query?: {
                /** @description The key of a plan, or none for no plan. */
                if_plan?: string;
                /** @description A valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z. */
                at?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The subscriber's id, chosen by the vendor.
                 * @example acme
                 */
                subscriber_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Why a subscriber has its entitlements, feature by feature, in the order of a snapshot. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "subscriber_id": "acme",
                     *       "plan": "pro",
                     *       "at": "2026-11-22T09:00:00.000Z",
                     *       "items": [
                     *         {
                     *           "feature": "seats",
                     *           "kind": "limit",
                     *           "entitlement": {
                     *             "feature": "seats",
                     *             "kind": "limit",
                     *             "allowed": true,
                     *             "limit": 25,
                     *             "source": "override",
                     *             "expires_at": "2036-01-31T09:00:00.000Z"
                     *           },
                     *           "override": {
                     *             "id": "01KAP8Z6W00000000000000003",
                     *             "subscriber_id": "acme",
                     *             "feature": "seats",
                     *             "kind": "limit",
                     *             "limit": 25,
                     *             "expires_at": "2036-01-31T09:00:00.000Z",
                     *             "created_at": "2026-11-22T09:00:00.000Z",
                     *             "updated_at": "2026-11-22T09:00:00.000Z",
                     *             "set_by": {
                     *               "member_id": "01KAP8Z6W00000000000000004",
                     *               "display_name": "admin",
                     *               "is_service_account": true,
                     *               "removed": false
                     *             }
                     *           },
                     *           "plan_grant": {
                     *             "kind": "limit",
                     *             "limit": 10
                     *           },
                     *           "beneath": {
                     *             "feature": "seats",
                     *             "kind": "limit",
                     *             "allowed": true,
                     *             "limit": 10,
                     *             "source": "plan",
                     *             "expires_at": null
                     *           }
                     *         },
                     *         {
                     *           "feature": "region",
                     *           "kind": "config",
                     *           "entitlement": {
                     *             "feature": "region",
                     *             "kind": "config",
                     *             "allowed": true,
                     *             "value": "eu",
                     *             "source": "plan",
                     *             "expires_at": null
                     *           },
                     *           "override": null,
                     *           "plan_grant": {
                     *             "kind": "config",
                     *             "value": "eu"
                     *           },
                     *           "beneath": null
                     *         },
                     *         {
                     *           "feature": "sso",
                     *           "kind": "flag",
                     *           "entitlement": {
                     *             "feature": "sso",
                     *             "kind": "flag",
                     *             "allowed": true,
                     *             "source": "plan",
                     *             "expires_at": null
                     *           },
                     *           "override": null,
                     *           "plan_grant": {
                     *             "kind": "flag"
                     *           },
                     *           "beneath": null
                     *         }
                     *       ],
                     *       "valid_until": "2036-01-31T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Explanation"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listSubscriberHistory: {
        parameters: {
            query?: {
                /**
                 * @description The number of items to list; more than 100 counts as 100. An integer from 1 to 100.
                 * @example 1
                 */
                limit?: number;
                /** @description The id of an item of this history. */
                starting_after?: string;
                /** @description The key of a feature. */
                feature?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The subscriber's id, chosen by the vendor.
                 * @example acme
                 */
                subscriber_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "history": [
                     *         {
                     *           "id": "MTc5NTE2NTIwMDAwMC4wc2VhdH0",
                     *           "group": "MTc5NTE2NTIwMDAwMC0",
                     *           "at": "2026-11-22T09:00:00.000Z",
                     *           "feature": "seats",
                     *           "cause": "override",
                     *           "from": {
                     *             "feature": "seats",
                     *             "kind": "limit",
                     *             "allowed": true,
                     *             "limit": 10,
                     *             "source": "plan",
                     *             "expires_at": null
                     *           },
                     *           "to": {
                     *             "feature": "seats",
                     *             "kind": "limit",
                     *             "allowed": true,
                     *             "limit": 25,
                     *             "source": "override",
                     *             "expires_at": "2036-01-31T09:00:00.000Z"
                     *           },
                     *           "by": {
                     *             "member_id": "01KAP8Z6W00000000000000004",
                     *             "display_name": "admin",
                     *             "is_service_account": true,
                     *             "removed": false
                     *           },
                     *           "note": null,
                     *           "plan": "pro"
                     *         }
                     *       ],
                     *       "has_more": true
                     *     }
                     */
                    "application/json": {
                        history: components["schemas"]["HistoryItem"][];
                        /** @description Whether there is a next page, which starts after the last id of this page. */
                        has_more: boolean;
                    };
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The address to which the events of the organization are sent. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://hooks.example.org/entitlements",
                     *       "secret_prefix": "whsec_Sample",
                     *       "disabled": false,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    putWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://hooks.example.org/entitlements"
                 *     }
                 */
                "application/json": components["schemas"]["PutWebhookInput"];
            };
        };
        responses: {
            /** @description The webhook, and its secret if the secret was just created. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://hooks.example.org/entitlements",
                     *       "secret": "whsec_SampleSampleSampleSampleSampleSampleSample0",
                     *       "secret_prefix": "whsec_Sample",
                     *       "disabled": false,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    rotateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook, and its secret if the secret was just created. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://hooks.example.org/entitlements",
                     *       "secret": "whsec_SampleSampleSampleSampleSampleSampleSample0",
                     *       "secret_prefix": "whsec_Sample",
                     *       "disabled": false,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    disableWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The address to which the events of the organization are sent. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://hooks.example.org/entitlements",
                     *       "secret_prefix": "whsec_Sample",
                     *       "disabled": true,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    enableWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The address to which the events of the organization are sent. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://hooks.example.org/entitlements",
                     *       "secret_prefix": "whsec_Sample",
                     *       "disabled": false,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listWebhookEvents: {
        parameters: {
            query?: {
                /** @description The number of items to list; more than 100 counts as 100. An integer from 1 to 100. */
                limit?: number;
                /** @description An event id: a ULID of 26 upper-case characters. */
                starting_after?: string;
                /**
                 * @description One of queued, delivered, failed.
                 * @example queued
                 */
                state?: "queued" | "delivered" | "failed";
                /** @description One of entitlements.stale, plan.grants.updated or webhook.test. */
                type?: "entitlements.stale" | "plan.grants.updated" | "webhook.test";
                /** @description A subscriber id: 1 to 255 characters without white space, slashes or control characters. */
                subscriber_id?: string;
                /** @description Inclusive. A valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z. */
                occurred_after?: string;
                /** @description Exclusive. A valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z. */
                occurred_before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "events": [
                     *         {
                     *           "id": "01KAP8Z6W00000000000000008",
                     *           "type": "webhook.test",
                     *           "state": "queued",
                     *           "attempts": 0,
                     *           "occurred_at": "2026-11-22T09:00:00.000Z",
                     *           "due_at": "2026-11-22T09:00:00.000Z",
                     *           "finished_at": null
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        events: components["schemas"]["WebhookEvent"][];
                        /** @description Whether there is a next page, which starts after the last id of this page. */
                        has_more: boolean;
                    };
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getWebhookEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the event.
                 * @example 01KAP8Z6W00000000000000008
                 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An event, what was sent, and every attempt to send it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01KAP8Z6W00000000000000008",
                     *       "type": "webhook.test",
                     *       "state": "queued",
                     *       "attempts": 0,
                     *       "occurred_at": "2026-11-22T09:00:00.000Z",
                     *       "due_at": "2026-11-22T09:00:00.000Z",
                     *       "finished_at": null,
                     *       "body": "{\"id\":\"01KAP8Z6W00000000000000008\",\"type\":\"webhook.test\",\"occurred_at\":\"2026-11-22T09:00:00.000Z\",\"organization_id\":\"01KAP8Z6W00000000000000007\"}",
                     *       "attempts_made": []
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEventWithAttempts"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getWebhookEventCounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number of events in each state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "queued": 0,
                     *       "retrying": 0,
                     *       "failed": 0
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEventCounts"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            413: components["responses"]["BodyTooLargeError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    sendTestEvent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A change that makes receivers' caches stale, and the state of its delivery. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01KAP8Z6W00000000000000008",
                     *       "type": "webhook.test",
                     *       "state": "queued",
                     *       "attempts": 0,
                     *       "occurred_at": "2026-11-22T09:00:00.000Z",
                     *       "due_at": "2026-11-22T09:00:00.000Z",
                     *       "finished_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEvent"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    resendEvent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the event.
                 * @example 01KAP8Z6W00000000000000008
                 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A change that makes receivers' caches stale, and the state of its delivery. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01KAP8Z6W00000000000000008",
                     *       "type": "webhook.test",
                     *       "state": "queued",
                     *       "attempts": 1,
                     *       "occurred_at": "2026-11-22T09:00:00.000Z",
                     *       "due_at": "2026-11-22T09:00:00.000Z",
                     *       "finished_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEvent"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    resendEvents: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "state": "failed",
                 *       "occurred_after": "2026-11-01T00:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["ResendEventsInput"];
            };
        };
        responses: {
            /** @description How many failed events are queued again. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "resent": 0,
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["ResentEvents"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    retryEvent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the event.
                 * @example 01KAP8Z6W00000000000000008
                 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A change that makes receivers' caches stale, and the state of its delivery. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01KAP8Z6W00000000000000008",
                     *       "type": "webhook.test",
                     *       "state": "queued",
                     *       "attempts": 0,
                     *       "occurred_at": "2026-11-22T09:00:00.000Z",
                     *       "due_at": "2026-11-22T09:00:00.000Z",
                     *       "finished_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEvent"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The vendor. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "organization_id": "01KAP8Z6W00000000000000007",
                     *       "name": "Acme",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            413: components["responses"]["BodyTooLargeError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateOrganization: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Acme Software"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateOrganizationInput"];
            };
        };
        responses: {
            /** @description The vendor. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "organization_id": "01KAP8Z6W00000000000000007",
                     *       "name": "Acme Software",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getCounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many objects of each type an organization has. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "features": {
                     *         "value": 3,
                     *         "is_exact": true
                     *       },
                     *       "plans": {
                     *         "value": 2,
                     *         "is_exact": true
                     *       },
                     *       "subscribers": {
                     *         "value": 1,
                     *         "is_exact": true
                     *       },
                     *       "live_overrides": {
                     *         "value": 1,
                     *         "is_exact": true
                     *       },
                     *       "members": {
                     *         "value": 1,
                     *         "is_exact": true
                     *       },
                     *       "service_accounts": {
                     *         "value": 1,
                     *         "is_exact": true
                     *       },
                     *       "pending_invites": {
                     *         "value": 0,
                     *         "is_exact": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Counts"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    search: {
        parameters: {
            query: {
                /**
                 * @description An id, a key, the beginning of an API key, a request id, or a part of a name; or a line that contains any of these. Case is ignored. If the text has several lines, each of its first 50 words is looked up as an id or key. A string of 1 to 2000 characters.
                 * @example ac
                 */
                text: string;
                /**
                 * @description An integer from 1 to 50.
                 * @example 5
                 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "hits": [
                     *         {
                     *           "type": "subscriber",
                     *           "id": "acme",
                     *           "name": "Acme Inc.",
                     *           "context": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        hits: components["schemas"]["SearchHit"][];
                    };
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listRoles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "roles": [
                     *         {
                     *           "role": "admin",
                     *           "labels": [
                     *             "features:read",
                     *             "plans:read",
                     *             "subscribers:read",
                     *             "overrides:read",
                     *             "org:read",
                     *             "entitlements:read",
                     *             "members:read",
                     *             "service-accounts:read",
                     *             "subscribers:write",
                     *             "overrides:write",
                     *             "features:write",
                     *             "plans:write",
                     *             "webhooks:read",
                     *             "webhooks:write",
                     *             "org:write",
                     *             "members:write",
                     *             "invites:read",
                     *             "invites:write",
                     *             "service-accounts:write",
                     *             "org:audit:read"
                     *           ]
                     *         },
                     *         {
                     *           "role": "developer",
                     *           "labels": [
                     *             "features:read",
                     *             "plans:read",
                     *             "subscribers:read",
                     *             "overrides:read",
                     *             "org:read",
                     *             "entitlements:read",
                     *             "members:read",
                     *             "service-accounts:read",
                     *             "subscribers:write",
                     *             "overrides:write",
                     *             "features:write",
                     *             "plans:write",
                     *             "webhooks:read",
                     *             "webhooks:write"
                     *           ]
                     *         },
                     *         {
                     *           "role": "support",
                     *           "labels": [
                     *             "features:read",
                     *             "plans:read",
                     *             "subscribers:read",
                     *             "overrides:read",
                     *             "org:read",
                     *             "entitlements:read",
                     *             "members:read",
                     *             "service-accounts:read",
                     *             "subscribers:write",
                     *             "overrides:write"
                     *           ]
                     *         },
                     *         {
                     *           "role": "viewer",
                     *           "labels": [
                     *             "features:read",
                     *             "plans:read",
                     *             "subscribers:read",
                     *             "overrides:read",
                     *             "org:read",
                     *             "entitlements:read",
                     *             "members:read",
                     *             "service-accounts:read"
                     *           ]
                     *         },
                     *         {
                     *           "role": "evaluator",
                     *           "labels": [
                     *             "entitlements:read"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        roles: components["schemas"]["RoleWithLabels"][];
                    };
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            413: components["responses"]["BodyTooLargeError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description The number of items to list; more than 100 counts as 100. An integer from 1 to 100. */
                limit?: number;
                /** @description A member id: a ULID of 26 upper-case characters. */
                starting_after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "members": [
                     *         {
                     *           "member_id": "01KAP8Z6W00000000000000004",
                     *           "user_id": null,
                     *           "service_account_id": "01KAP8Z6W00000000000000013",
                     *           "display_name": "admin",
                     *           "email": null,
                     *           "role": "admin",
                     *           "status": "active",
                     *           "by_group": false,
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "updated_at": "2026-11-22T09:00:00.000Z"
                     *         },
                     *         {
                     *           "member_id": "01KAP8Z6W00000000000000016",
                     *           "user_id": "01KAP8Z6W00000000000000015",
                     *           "service_account_id": null,
                     *           "display_name": "Ada Lovelace",
                     *           "email": "ada@example.org",
                     *           "role": "viewer",
                     *           "status": "active",
                     *           "by_group": false,
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "updated_at": "2026-11-22T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        members: components["schemas"]["Member"][];
                        /** @description Whether there is a next page, which starts after the last id of this page. */
                        has_more: boolean;
                    };
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createMember: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_id": "01KAP8Z6W00000000000000015",
                 *       "role": "viewer"
                 *     }
                 */
                "application/json": components["schemas"]["CreateMemberInput"];
            };
        };
        responses: {
            /** @description A caller in the organization: a person or a service account. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "member_id": "01KAP8Z6W00000000000000016",
                     *       "user_id": "01KAP8Z6W00000000000000015",
                     *       "service_account_id": null,
                     *       "display_name": "Ada Lovelace",
                     *       "email": "ada@example.org",
                     *       "role": "viewer",
                     *       "status": "active",
                     *       "by_group": false,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the member.
                 * @example 01KAP8Z6W00000000000000016
                 */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A caller in the organization: a person or a service account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "member_id": "01KAP8Z6W00000000000000016",
                     *       "user_id": "01KAP8Z6W00000000000000015",
                     *       "service_account_id": null,
                     *       "display_name": "Ada Lovelace",
                     *       "email": "ada@example.org",
                     *       "role": "viewer",
                     *       "status": "active",
                     *       "by_group": false,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteMember: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the member.
                 * @example 01KAP8Z6W00000000000000016
                 */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the member.
                 * @example 01KAP8Z6W00000000000000016
                 */
                member_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "role": "support"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateMemberInput"];
            };
        };
        responses: {
            /** @description A caller in the organization: a person or a service account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "member_id": "01KAP8Z6W00000000000000016",
                     *       "user_id": "01KAP8Z6W00000000000000015",
                     *       "service_account_id": null,
                     *       "display_name": "Ada Lovelace",
                     *       "email": "ada@example.org",
                     *       "role": "support",
                     *       "status": "active",
                     *       "by_group": false,
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listGroupRoles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "group_roles": [
                     *         {
                     *           "group": "engineering",
                     *           "role": "developer"
                     *         },
                     *         {
                     *           "group": "it-admins",
                     *           "role": "admin"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        group_roles: components["schemas"]["GroupRole"][];
                    };
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    setGroupRoles: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "group_roles": [
                 *         {
                 *           "group": "engineering",
                 *           "role": "developer"
                 *         },
                 *         {
                 *           "group": "it-admins",
                 *           "role": "admin"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SetGroupRolesInput"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "group_roles": [
                     *         {
                     *           "group": "engineering",
                     *           "role": "developer"
                     *         },
                     *         {
                     *           "group": "it-admins",
                     *           "role": "admin"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        group_roles: components["schemas"]["GroupRole"][];
                    };
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listInvites: {
        parameters: {
            query?: {
                /** @description The number of items to list; more than 100 counts as 100. An integer from 1 to 100. */
                limit?: number;
                /** @description An invite id: a ULID of 26 upper-case characters. */
                starting_after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "invites": [
                     *         {
                     *           "invite_id": "01KAP8Z6W00000000000000019",
                     *           "role": "developer",
                     *           "email": "ada@example.org",
                     *           "link": "https://entitlements.example.org/join#inv_SampleSampleSampleSampleSampleSampleSampleSample0",
                     *           "expires_at": "2026-11-29T09:00:00.000Z",
                     *           "created_at": "2026-11-22T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        invites: components["schemas"]["Invite"][];
                        /** @description Whether there is a next page, which starts after the last id of this page. */
                        has_more: boolean;
                    };
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createInvite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "developer",
                 *       "email": "ada@example.org"
                 *     }
                 */
                "application/json": components["schemas"]["CreateInviteInput"];
            };
        };
        responses: {
            /** @description A link with which one person can join the organization until it expires. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "invite_id": "01KAP8Z6W00000000000000017",
                     *       "role": "developer",
                     *       "email": "ada@example.org",
                     *       "link": "https://entitlements.example.org/join#inv_SampleSampleSampleSampleSampleSampleSampleSample0",
                     *       "expires_at": "2026-11-29T09:00:00.000Z",
                     *       "created_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Invite"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteInvite: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the invite.
                 * @example 01KAP8Z6W00000000000000019
                 */
                invite_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listServiceAccounts: {
        parameters: {
            query?: {
                /** @description The number of items to list; more than 100 counts as 100. An integer from 1 to 100. */
                limit?: number;
                /** @description A service account id: a ULID of 26 upper-case characters. */
                starting_after?: string;
                /** @description Only active accounts with a working key that was created before this time and has not been used since. A valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z or 2027-01-31T10:00:00.5+01:00. */
                unused_since?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "service_accounts": [
                     *         {
                     *           "service_account_id": "01KAP8Z6W00000000000000013",
                     *           "member_id": "01KAP8Z6W00000000000000004",
                     *           "name": "admin",
                     *           "role": "admin",
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "updated_at": "2026-11-22T09:00:00.000Z"
                     *         },
                     *         {
                     *           "service_account_id": "01KAP8Z6W00000000000000011",
                     *           "member_id": "01KAP8Z6W00000000000000012",
                     *           "name": "Billing",
                     *           "role": "developer",
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "updated_at": "2026-11-22T09:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        service_accounts: components["schemas"]["ServiceAccount"][];
                        /** @description Whether there is a next page, which starts after the last id of this page. */
                        has_more: boolean;
                    };
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createServiceAccount: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Billing",
                 *       "role": "developer"
                 *     }
                 */
                "application/json": components["schemas"]["CreateServiceAccountInput"];
            };
        };
        responses: {
            /** @description A member for a program, which authenticates with its keys. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "service_account_id": "01KAP8Z6W00000000000000011",
                     *       "member_id": "01KAP8Z6W00000000000000012",
                     *       "name": "Billing",
                     *       "role": "developer",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceAccount"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getServiceAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service account.
                 * @example 01KAP8Z6W00000000000000011
                 */
                service_account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A member for a program, which authenticates with its keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "service_account_id": "01KAP8Z6W00000000000000011",
                     *       "member_id": "01KAP8Z6W00000000000000012",
                     *       "name": "Billing",
                     *       "role": "developer",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceAccount"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteServiceAccount: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the service account.
                 * @example 01KAP8Z6W00000000000000011
                 */
                service_account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateServiceAccount: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the service account.
                 * @example 01KAP8Z6W00000000000000011
                 */
                service_account_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Billing sync"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateServiceAccountInput"];
            };
        };
        responses: {
            /** @description A member for a program, which authenticates with its keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "service_account_id": "01KAP8Z6W00000000000000011",
                     *       "member_id": "01KAP8Z6W00000000000000012",
                     *       "name": "Billing sync",
                     *       "role": "developer",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceAccount"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description The number of items to list; more than 100 counts as 100. An integer from 1 to 100. */
                limit?: number;
                /** @description A key id: a ULID of 26 upper-case characters. */
                starting_after?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The id of the service account.
                 * @example 01KAP8Z6W00000000000000011
                 */
                service_account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "key_id": "01KAP8Z6W00000000000000014",
                     *           "key_prefix": "ent_SampleSa",
                     *           "name": "Production",
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "last_used_at": null,
                     *           "expires_at": "2036-01-31T09:00:00.000Z",
                     *           "allowed_networks": [
                     *             "203.0.113.0/24"
                     *           ]
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        keys: components["schemas"]["ApiKey"][];
                        /** @description Whether there is a next page, which starts after the last id of this page. */
                        has_more: boolean;
                    };
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the service account.
                 * @example 01KAP8Z6W00000000000000011
                 */
                service_account_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Production",
                 *       "expires_at": "2036-01-31T09:00:00Z",
                 *       "allowed_networks": [
                 *         "203.0.113.0/24"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateApiKeyInput"];
            };
        };
        responses: {
            /** @description A key that was just created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key_id": "01KAP8Z6W00000000000000014",
                     *       "key_prefix": "ent_SampleSa",
                     *       "name": "Production",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "last_used_at": null,
                     *       "expires_at": "2036-01-31T09:00:00.000Z",
                     *       "allowed_networks": [
                     *         "203.0.113.0/24"
                     *       ],
                     *       "key": "ent_SampleSampleSampleSampleSampleSampleSampleSample0"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A key of your own for this request, such as a random UUID. For 24 hours, the same request with the same key gets the first answer again, and runs once. A different request with the same key gets 422.
                 * @example 5f0c8f0e-3c1b-4d0a-9d7e-6a1d2b8c4e90
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the service account.
                 * @example 01KAP8Z6W00000000000000011
                 */
                service_account_id: string;
                /**
                 * @description The id of the key.
                 * @example 01KAP8Z6W00000000000000014
                 */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Idempotency-Replayed": components["headers"]["Replayed"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.org",
                 *       "password": "correct horse battery",
                 *       "display_name": "Ada"
                 *     }
                 */
                "application/json": components["schemas"]["SignUpInput"];
            };
        };
        responses: {
            /** @description A personal sign-in. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIwMUtBUDhaNlcwIn0.c2FtcGxl",
                     *       "expires_at": "2026-11-22T10:00:00.000Z",
                     *       "user_id": "01KAP8Z6W00000000000000015"
                     *     }
                     */
                    "application/json": components["schemas"]["Token"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.org",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["SignInInput"];
            };
        };
        responses: {
            /** @description A personal sign-in. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIwMUtBUDhaNlcwIn0.c2FtcGxl",
                     *       "expires_at": "2026-11-22T10:00:00.000Z",
                     *       "user_id": "01KAP8Z6W00000000000000015"
                     *     }
                     */
                    "application/json": components["schemas"]["Token"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A person's own account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_id": "01KAP8Z6W00000000000000015",
                     *       "email": "ada@example.org",
                     *       "display_name": "Ada",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "display_name": "Ada Lovelace"
                 *     }
                 */
                "application/json": components["schemas"]["UpdateUserInput"];
            };
        };
        responses: {
            /** @description A person's own account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_id": "01KAP8Z6W00000000000000015",
                     *       "email": "ada@example.org",
                     *       "display_name": "Ada Lovelace",
                     *       "created_at": "2026-11-22T09:00:00.000Z",
                     *       "updated_at": "2026-11-22T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "current_password": "correct horse battery",
                 *       "new_password": "a longer horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["ChangePasswordInput"];
            };
        };
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessions": [
                     *         {
                     *           "id": "01KAP8Z6W00000000000000020",
                     *           "created_at": "2026-11-22T09:00:00.000Z",
                     *           "last_used_at": "2026-11-22T09:00:00.000Z",
                     *           "ip": "203.0.113.7",
                     *           "user_agent": "node",
                     *           "current": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        sessions: components["schemas"]["UserSession"][];
                    };
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            413: components["responses"]["BodyTooLargeError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the session.
                 * @example 01KAP8Z6W00000000000000020
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listOrganizations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "organizations": [
                     *         {
                     *           "organization_id": "01KAP8Z6W00000000000000007",
                     *           "name": "Acme Software",
                     *           "member_id": "01KAP8Z6W00000000000000018",
                     *           "role": "developer"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        organizations: components["schemas"]["Membership"][];
                    };
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            413: components["responses"]["BodyTooLargeError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    createOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Lovelace Ltd"
                 *     }
                 */
                "application/json": components["schemas"]["CreateOrganizationInput"];
            };
        };
        responses: {
            /** @description An organization as one of its members sees it. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "organization_id": "01KAP8Z6W00000000000000021",
                     *       "name": "Lovelace Ltd",
                     *       "member_id": "01KAP8Z6W00000000000000022",
                     *       "role": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["Membership"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    joinOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "invite": "inv_SampleSampleSampleSampleSampleSampleSampleSample0"
                 *     }
                 */
                "application/json": components["schemas"]["JoinOrganizationInput"];
            };
        };
        responses: {
            /** @description An organization as one of its members sees it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "organization_id": "01KAP8Z6W00000000000000007",
                     *       "name": "Acme Software",
                     *       "member_id": "01KAP8Z6W00000000000000018",
                     *       "role": "developer"
                     *     }
                     */
                    "application/json": components["schemas"]["Membership"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    leaveOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the organization.
                 * @example 01KAP8Z6W00000000000000007
                 */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            404: components["responses"]["NotFoundError"];
            409: components["responses"]["ConflictError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    signInToOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the organization.
                 * @example 01KAP8Z6W00000000000000007
                 */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A console session. Its token is in a cookie; the header X-Organization-Id names the organization of a request. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Set-Cookie": components["headers"]["Session"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "session_prefix": "ses_SampleSa",
                     *       "expires_at": "2026-11-29T09:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ConsoleSession"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    signOutOfOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the organization.
                 * @example 01KAP8Z6W00000000000000007
                 */
                organization_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success, without a body. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            415: components["responses"]["UnsupportedMediaTypeError"];
            422: components["responses"]["ValidationError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** @description The number of items to list; more than 100 counts as 100. An integer from 1 to 100. */
                limit?: number;
                /** @description The id of an audit entry: a ULID of 26 upper-case characters. */
                starting_after?: string;
                /** @description A member id: a ULID of 26 upper-case characters. */
                actor_member_id?: string;
                /** @description One of pending, rejected, responded, no_response. */
                outcome?: "pending" | "rejected" | "responded" | "no_response";
                /**
                 * @description One of POST, PUT, PATCH, DELETE, GET.
                 * @example PATCH
                 */
                method?: "POST" | "PUT" | "PATCH" | "DELETE" | "GET";
                /** @description A route template, such as /org/plans/{key}. */
                route?: string;
                /** @description Only entries with these path values. Path values by name, such as params[subscriber_id]=acme. */
                params?: {
                    [key: string]: string;
                };
                /** @description One of api, identity. */
                service?: "api" | "identity";
                /** @description A request id: req_ and a ULID. */
                request_id?: string;
                /** @description An id or key. */
                created_id?: string;
                /** @description Inclusive. A valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z. */
                occurred_after?: string;
                /** @description Exclusive. A valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z. */
                occurred_before?: string;
                /** @description Only entries of requests that changed something (true), or of all other requests (false). True or false. */
                changed?: boolean;
                /** @description Only the entries of an import's lines (true), or all other entries (false). True or false. */
                lines?: boolean;
                /** @description One of feature, plan, subscriber, subscription, webhook, member, invite, service_account, api_key, override. */
                object_type?: "feature" | "plan" | "subscriber" | "subscription" | "webhook" | "member" | "invite" | "service_account" | "api_key" | "override";
                /** @description The id or key of the object; <subscriber_id>/<feature> for an override; left out for the webhook. */
                object_id?: string;
                /** @description If the list is limited to an object: whether to include the entries of objects that belong to it (a subscriber's subscriptions and overrides, a service account's keys), and of requests that changed nothing. True or false. */
                with_parts?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "audit_events": [
                     *         {
                     *           "id": "01KAP8Z6W00000000000000025",
                     *           "occurred_at": "2026-11-22T09:00:00.000Z",
                     *           "request_id": "req_01KAP8Z6W00000000000000026",
                     *           "organization_id": "01KAP8Z6W00000000000000007",
                     *           "actor": {
                     *             "member_id": "01KAP8Z6W00000000000000004",
                     *             "auth_type": "member_apikey",
                     *             "key_prefix": "ent_SampleSa"
                     *           },
                     *           "service": "api",
                     *           "method": "PATCH",
                     *           "route": "/org/plans/{key}",
                     *           "params": {
                     *             "key": "starter"
                     *           },
                     *           "ip": "203.0.113.7",
                     *           "user_agent": "node",
                     *           "outcome": "responded",
                     *           "status": 200,
                     *           "details": {
                     *             "name": {
                     *               "from": "Starter",
                     *               "to": "Starter (monthly)"
                     *             }
                     *           },
                     *           "created_id": null
                     *         }
                     *       ],
                     *       "has_more": false
                     *     }
                     */
                    "application/json": {
                        audit_events: components["schemas"]["AuditEvent"][];
                        /** @description Whether there is a next page, which starts after the last id of this page. */
                        has_more: boolean;
                    };
                    "application/x-ndjson": {
                        [key: string]: unknown;
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getAuditHead: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The signed head of the audit log's hash chain. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "organization_id": "01KAP8Z6W00000000000000007",
                     *       "position": 0,
                     *       "hash": "0000000000000000000000000000000000000000000000000000000000000000",
                     *       "signed_at": "2026-11-22T09:00:00.000Z",
                     *       "signature": "SampleSampleSampleSampleSampleSampleSampleSampleSampleSampleSampleSampleSampleSampleAA",
                     *       "kid": "Z8yRweQaw2cSjrWdijzn8LxPfWgIMWvdBRXNVxUK9e0",
                     *       "unchained": 52
                     *     }
                     */
                    "application/json": components["schemas"]["AuditHead"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            413: components["responses"]["BodyTooLargeError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getAuditEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the audit event.
                 * @example 01KAP8Z6W00000000000000025
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A recorded request and its outcome. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "01KAP8Z6W00000000000000025",
                     *       "occurred_at": "2026-11-22T09:00:00.000Z",
                     *       "request_id": "req_01KAP8Z6W00000000000000026",
                     *       "organization_id": "01KAP8Z6W00000000000000007",
                     *       "actor": {
                     *         "member_id": "01KAP8Z6W00000000000000004",
                     *         "auth_type": "member_apikey",
                     *         "key_prefix": "ent_SampleSa"
                     *       },
                     *       "service": "api",
                     *       "method": "PATCH",
                     *       "route": "/org/plans/{key}",
                     *       "params": {
                     *         "key": "starter"
                     *       },
                     *       "ip": "203.0.113.7",
                     *       "user_agent": "node",
                     *       "outcome": "responded",
                     *       "status": 200,
                     *       "details": {
                     *         "name": {
                     *           "from": "Starter",
                     *           "to": "Starter (monthly)"
                     *         }
                     *       },
                     *       "created_id": null
                     *     }
                     */
                    "application/json": components["schemas"]["AuditEvent"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["NotFoundError"];
            413: components["responses"]["BodyTooLargeError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    listUserAuditEvents: {
        parameters: {
            query?: {
                /**
                 * @description The number of items to list; more than 100 counts as 100. An integer from 1 to 100.
                 * @example 1
                 */
                limit?: number;
                /** @description The id of an audit entry: a ULID of 26 upper-case characters. */
                starting_after?: string;
                /** @description A member id: a ULID of 26 upper-case characters. */
                actor_member_id?: string;
                /** @description One of pending, rejected, responded, no_response. */
                outcome?: "pending" | "rejected" | "responded" | "no_response";
                /** @description One of POST, PUT, PATCH, DELETE, GET. */
                method?: "POST" | "PUT" | "PATCH" | "DELETE" | "GET";
                /** @description A route template, such as /org/plans/{key}. */
                route?: string;
                /** @description Only entries with these path values. Path values by name, such as params[subscriber_id]=acme. */
                params?: {
                    [key: string]: string;
                };
                /** @description One of api, identity. */
                service?: "api" | "identity";
                /** @description A request id: req_ and a ULID. */
                request_id?: string;
                /** @description An id or key. */
                created_id?: string;
                /** @description Inclusive. A valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z. */
                occurred_after?: string;
                /** @description Exclusive. A valid RFC 3339 timestamp, such as 2027-01-31T09:00:00Z. */
                occurred_before?: string;
                /** @description Only entries of requests that changed something (true), or of all other requests (false). True or false. */
                changed?: boolean;
                /** @description Only the entries of an import's lines (true), or all other entries (false). True or false. */
                lines?: boolean;
                /** @description One of feature, plan, subscriber, subscription, webhook, member, invite, service_account, api_key, override. */
                object_type?: "feature" | "plan" | "subscriber" | "subscription" | "webhook" | "member" | "invite" | "service_account" | "api_key" | "override";
                /** @description The id or key of the object; <subscriber_id>/<feature> for an override; left out for the webhook. */
                object_id?: string;
                /** @description If the list is limited to an object: whether to include the entries of objects that belong to it (a subscriber's subscriptions and overrides, a service account's keys), and of requests that changed nothing. True or false. */
                with_parts?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "audit_events": [
                     *         {
                     *           "id": "01KAP8Z6W00000000000000023",
                     *           "occurred_at": "2026-11-22T09:00:00.000Z",
                     *           "request_id": "req_01KAP8Z6W00000000000000024",
                     *           "user_id": "01KAP8Z6W00000000000000015",
                     *           "organization_id": "01KAP8Z6W00000000000000021",
                     *           "actor": {
                     *             "member_id": "01KAP8Z6W00000000000000022",
                     *             "auth_type": "jwt",
                     *             "key_prefix": null
                     *           },
                     *           "service": "identity",
                     *           "method": "POST",
                     *           "route": "/user/organizations",
                     *           "params": {},
                     *           "ip": "203.0.113.7",
                     *           "user_agent": "node",
                     *           "outcome": "responded",
                     *           "status": 201,
                     *           "details": null,
                     *           "created_id": "01KAP8Z6W00000000000000021"
                     *         }
                     *       ],
                     *       "has_more": true
                     *     }
                     */
                    "application/json": {
                        audit_events: components["schemas"]["AuditEvent"][];
                        /** @description Whether there is a next page, which starts after the last id of this page. */
                        has_more: boolean;
                    };
                };
            };
            400: components["responses"]["InvalidJsonError"];
            401: components["responses"]["UnauthorizedError"];
            413: components["responses"]["BodyTooLargeError"];
            422: components["responses"]["ValidationError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    getService: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Public information about this service. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": "0.2.0",
                     *       "sign_up": "open",
                     *       "oidc": {
                     *         "name": "Example login"
                     *       },
                     *       "local_sign_in": true
                     *     }
                     */
                    "application/json": components["schemas"]["Service"];
                };
            };
            400: components["responses"]["InvalidJsonError"];
            413: components["responses"]["BodyTooLargeError"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailableError"];
        };
    };
    evaluateFlag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The key of the flag.
                 * @example seats
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "context": {
                 *         "targetingKey": "acme"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["evaluationRequest"];
            };
        };
        responses: {
            /** @description A subscriber's entitlement to one feature, as a flag of OFREP. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "seats",
                     *       "value": 25,
                     *       "reason": "TARGETING_MATCH",
                     *       "variant": "override",
                     *       "metadata": {
                     *         "kind": "limit",
                     *         "allowed": true,
                     *         "source": "override",
                     *         "unlimited": false,
                     *         "expires_at": "2036-01-31T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["evaluationSuccess"];
                };
            };
            400: components["responses"]["evaluationFailure400"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            404: components["responses"]["flagNotFound404"];
            413: components["responses"]["evaluationFailure413"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["evaluationFailure500"];
            503: components["responses"]["evaluationFailure503"];
        };
    };
    evaluateFlags: {
        parameters: {
            query?: never;
            header?: {
                /** @description One or several `ETag`s of answers that the caller has. If one of them still matches, the answer is 304 without a body. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "context": {
                 *         "targetingKey": "acme"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["bulkEvaluationRequest"];
            };
        };
        responses: {
            /** @description Every feature of the catalog as a flag, newest feature first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["Revalidated"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "flags": [
                     *         {
                     *           "key": "seats",
                     *           "value": 25,
                     *           "reason": "TARGETING_MATCH",
                     *           "variant": "override",
                     *           "metadata": {
                     *             "kind": "limit",
                     *             "allowed": true,
                     *             "source": "override",
                     *             "unlimited": false,
                     *             "expires_at": "2036-01-31T09:00:00.000Z"
                     *           }
                     *         },
                     *         {
                     *           "key": "region",
                     *           "value": "eu",
                     *           "reason": "STATIC",
                     *           "variant": "plan",
                     *           "metadata": {
                     *             "kind": "config",
                     *             "allowed": true,
                     *             "source": "plan",
                     *             "unlimited": false
                     *           }
                     *         },
                     *         {
                     *           "key": "sso",
                     *           "value": true,
                     *           "reason": "STATIC",
                     *           "variant": "plan",
                     *           "metadata": {
                     *             "kind": "flag",
                     *             "allowed": true,
                     *             "source": "plan",
                     *             "unlimited": false
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["bulkEvaluationSuccess"];
                };
            };
            /** @description One of the tags in `If-None-Match` still matches, so there is no body. This counts as an eval too. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["Revalidated"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["bulkEvaluationFailure400"];
            401: components["responses"]["UnauthorizedError"];
            403: components["responses"]["ForbiddenError"];
            413: components["responses"]["bulkEvaluationFailure413"];
            429: components["responses"]["RateLimitedError"];
            500: components["responses"]["bulkEvaluationFailure500"];
            503: components["responses"]["bulkEvaluationFailure503"];
        };
    };
}
