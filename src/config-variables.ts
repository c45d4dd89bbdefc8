import { z } from 'zod'
import {
  dataFolder,
  httpOrigin,
  httpUrl,
  isNetworkList,
  masterKey,
  maxCaps,
  oidcIssuer,
  organizationIds,
  pairs,
  postgresUrl,
  processCount,
  ratio,
  trueOrFalse,
  waitsInSeconds,
  wholeNumber,
  wholeNumberOrUnlimited,
} from './config-values.ts'
import { optional, secret, shared, type Variable, variable } from './config-variable.ts'
import { samplers } from './tracing/samplers.ts'

export const variables = {
  NODE_ENV: variable(z.string(), 'development', '`production`, or any other value for development and tests'),

  PORT: variable(wholeNumber(0, 65_535), '4000', 'the port to listen on'),
  HOST: variable(z.string(), '127.0.0.1', 'the address to listen on, or the path of a Unix socket'),
  REUSE_PORT: variable(trueOrFalse(), 'false', '`true`: another process of the same user may listen on the port too'),
  PUBLIC_URL: optional(httpOrigin(), "the request's scheme and host", 'the address at which people reach the service'),
  TRUST_PROXY: variable(
    z
      .union([wholeNumber(0, 100), trueOrFalse(), z.string().refine(isNetworkList)])
      .describe(
        'false, true, the number of proxies in front of the service, or their addresses and networks separated by commas',
      ),
    'false',
    'the number of proxies in front of the service, or their networks',
  ),
  INSTALLATION: optional(
    z
      .string()
      .regex(/^[0-9A-Za-z]{2}$/)
      .describe('two letters or digits'),
    'none',
    'the name of this installation among several behind one address',
  ),
  SIGN_UP: optional(
    z.enum(['open', 'invited']).describe('open or invited'),
    '`open`; `invited` with `NODE_ENV=production`',
    'whether anyone may sign up, or only people with an invite',
  ),
  AUTH_JWKS_URL: optional(httpUrl(), '', 'an external identity provider whose tokens are accepted at `/user`'),
  AUTH_ISSUER: optional(z.string(), '', "the issuer in the external provider's tokens"),
  AUTH_AUDIENCE: optional(z.string(), '', 'the audience that tokens of `AUTH_ISSUER` must have'),
  OIDC_ISSUER: optional(oidcIssuer(), '', 'where people sign in with OpenID Connect'),
  OIDC_CLIENT_ID: optional(z.string(), '', 'the client id of this service at the provider'),
  OIDC_CLIENT_SECRET: secret(optional(z.string(), '', 'the client secret of this service at the provider')),
  OIDC_SCOPES: variable(
    z
      .string()
      .regex(/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/)
      .refine((text) => text.split(' ').includes('openid'))
      .describe('scopes separated by spaces, with openid among them'),
    'openid profile email',
    'the scopes that a sign-in requests',
  ),
  OIDC_NAME: variable(
    z.string().max(100).describe('a string of at most 100 characters'),
    'Single sign-on',
    "the text of the console's sign-in button",
  ),
  OIDC_GROUPS_CLAIM: variable(z.string(), 'groups', "the claim that lists a person's groups"),
  OIDC_GROUPS_REQUIRED: variable(
    trueOrFalse(),
    'false',
    '`true`: a person whose sign-in lacks the groups claim has no groups',
  ),
  OIDC_GROUP_ORGANIZATIONS: optional(
    organizationIds(),
    'none',
    'organizations whose admins may give roles to groups, as ids separated by commas',
  ),
  LOCAL_SIGN_IN: variable(trueOrFalse(), 'true', '`false`: nobody signs in or up with a password'),
  GRAPHIQL: optional(
    trueOrFalse(),
    'on, except with `NODE_ENV=production`',
    '`true` serves GraphiQL in production too',
  ),
  WORKER_PORT: optional(wholeNumber(0, 65_535), '', 'the port of `npm run start:worker` for `/healthz` and `/readyz`'),
  PROCESSES: variable(processCount(), '1', 'the number of API processes that serve the port'),
  SHUTDOWN_GRACE_MS: optional(
    wholeNumber(0, 600_000),
    '`5000` with `NODE_ENV=production`, else `0`',
    'how long a process still serves requests after a stop signal',
  ),
  METRICS_PORT: optional(
    wholeNumber(0, 65_535),
    '',
    'the port of `GET /metrics`, which returns metrics for Prometheus',
  ),
  METRICS_HOST: optional(z.string(), '`HOST`', 'the address to listen on for metrics'),
  METRICS_PER_ORGANIZATION: variable(
    trueOrFalse(),
    'false',
    '`true`: metrics of evals and webhooks have a label for the organization',
  ),
  LOG_FORMAT: optional(
    z.enum(['pretty', 'json']).describe('pretty or json'),
    '`pretty` in a terminal, else `json`',
    'the format of the log on standard output',
  ),
  SLOW_REQUEST_MS: variable(wholeNumber(1, 3_600_000), '1000', 'requests that take longer are logged'),
  LOG_LEVEL: variable(
    z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
      .describe('one of trace, debug, info, warn, error, fatal, silent'),
    'info',
    'the lowest level that is logged: `trace` to `fatal`, or `silent`',
  ),

  DATABASE_URL: secret(
    optional(postgresUrl(), 'the embedded PostgreSQL', 'PostgreSQL 14 to 18; required with `NODE_ENV=production`'),
  ),
  DATABASE_DIRECT_URL: secret(
    optional(postgresUrl(), '`DATABASE_URL`', 'the address of PostgreSQL itself behind PgBouncer'),
  ),
  STANDBY_DATABASE_URL: secret(
    optional(
      postgresUrl(),
      '',
      'a synchronous standby of the database at `DATABASE_URL`, which answers evals while the primary is gone',
    ),
  ),
  PGBOUNCER: variable(trueOrFalse(), 'false', '`true`: the service uses no named statements on `DATABASE_URL`'),
  MIGRATE: variable(trueOrFalse(), 'true', 'whether a process migrates the database when it starts'),
  EMBEDDED_DATABASE: optional(
    trueOrFalse(),
    '`true`; `false` with `NODE_ENV=production`',
    'whether the embedded PostgreSQL is used when `DATABASE_URL` is absent',
  ),
  DATA_DIR: variable(dataFolder(), '.data', 'the folder of the embedded PostgreSQL and the master key'),
  MASTER_KEY: secret(
    optional(
      masterKey(),
      '`master-key` in `DATA_DIR`, created once',
      'the key that encrypts stored secrets: 32 bytes in base64 (`openssl rand -base64 32`)',
    ),
  ),
  MASTER_KEY_PREVIOUS: secret(
    optional(
      masterKey(),
      '',
      'a second key, for the time in which the master key is replaced: it only decrypts and verifies',
    ),
  ),

  EVAL_RATE_LIMIT_PER_SECOND: variable(wholeNumber(1, 1_000_000_000), '100', 'evals per second for each organization'),
  TOKEN_RATE_SHARE: variable(
    ratio(),
    '0.5',
    "the fraction of the rate that an organization's subscriber tokens may use",
  ),
  EVAL_MONTHLY_ALLOTMENT: variable(
    wholeNumberOrUnlimited(0, Number.MAX_SAFE_INTEGER),
    'unlimited',
    'evals per calendar month for each organization',
  ),

  WEBHOOK_RETRY_WAITS_SECONDS: variable(
    waitsInSeconds(),
    '30,300,1800,7200,18000,36000,86400',
    'the waits after failed attempts',
  ),
  WEBHOOK_ATTEMPT_TIMEOUT_MS: variable(wholeNumber(1, 600_000), '5000', 'time limit for a whole attempt'),
  WEBHOOK_MAX_IN_FLIGHT: variable(
    wholeNumber(1, 256),
    '32',
    'the maximum number of attempts of one organization in flight; lower while its receiver fails or slows down',
  ),
  WEBHOOK_ALLOW_PRIVATE_NETWORKS: optional(
    trueOrFalse(),
    '`true` with the embedded PostgreSQL outside production if `HOST` and `PUBLIC_URL` name this machine, else `false`',
    'whether webhooks may go to addresses that are not public',
  ),
  WEBHOOK_PROXY_URL: secret(
    optional(
      httpUrl(),
      '',
      'a proxy for webhooks, such as `http://user:password@proxy.internal:3128`; it must accept `CONNECT`',
    ),
  ),
  WEBHOOK_RETENTION_DAYS: variable(wholeNumber(1, 36_500), '30', 'how long delivered and failed events are kept'),

  AUDIT_RETENTION_DAYS: optional(wholeNumber(1, 36_500), 'forever', 'how long audit logs and former versions are kept'),

  CHANGES_RETENTION_HOURS: variable(
    wholeNumber(1, 876_000),
    '24',
    'how long followers of changes may be disconnected before they must start again',
  ),
  MAX_FOLLOWERS: shared(
    variable(
      wholeNumber(1, 1_000_000),
      '1000',
      'waiting polls and streams of changes of one organization in a process',
    ),
  ),

  MAX_FEATURES: variable(wholeNumber(1, maxCaps.features), '10000', 'features per organization'),
  MAX_PLANS: variable(wholeNumber(1, maxCaps.plans), '1000', 'plans per organization, including archived ones'),
  MAX_CATALOG_BYTES: variable(
    wholeNumber(1, 1_000_000_000),
    '16777216',
    "bytes of an organization's features and grants",
  ),
  MAX_OVERRIDE_BYTES: variable(
    wholeNumber(1, 1_000_000_000),
    '4194304',
    "bytes of the values of a subscriber's overrides",
  ),
  MAX_STORED_BYTES: optional(
    wholeNumber(1, Number.MAX_SAFE_INTEGER),
    'none',
    'bytes of everything that an organization stores',
  ),
  MAX_ORGANIZATIONS_PER_PERSON: variable(
    wholeNumberOrUnlimited(0, 1_000_000),
    '10',
    'organizations that one person may create, or `unlimited`',
  ),

  MAX_CONNECTIONS: shared(variable(wholeNumber(1, 1_000_000), '10000', 'client connections per process')),
  BODY_LIMIT_BYTES: variable(wholeNumber(1, 1_000_000_000), '1048576', "bytes of a request's body"),
  MAX_RECEIVING_BYTES: shared(
    variable(wholeNumber(1, 1_000_000_000_000), '67108864', 'bytes of unfinished request bodies in one process'),
  ),
  MAX_PARSED_BYTES: shared(
    variable(
      wholeNumber(65_536, 100_000_000_000),
      '67108864',
      'memory in a process for parsed bodies of more than 4 KB',
    ),
  ),
  MAX_WAITING_BYTES: shared(
    variable(wholeNumber(1, 1_000_000_000_000), '67108864', 'bytes of unread answers in one process'),
  ),
  ANSWER_TIMEOUT_MS: variable(
    wholeNumber(1_000, 3_600_000),
    '30000',
    'a connection is closed if its client reads less than 16 KiB of a waiting answer in this time',
  ),
  MAX_ANSWER_BYTES: variable(
    wholeNumber(1, 1_000_000_000),
    '16777216',
    'bytes of the answer to a GraphQL request, or to a request for many snapshots',
  ),
  MAX_ANSWER_ROWS: variable(wholeNumber(1, 1_000_000_000), '20000', 'rows that one GraphQL request loads'),
  MAX_RUNNING_REQUESTS: shared(
    variable(wholeNumber(1, 12), '4', 'reads and writes that run at once for one organization in a process'),
  ),
  MAX_WAITING_REQUESTS: shared(
    variable(wholeNumber(1, 1_000_000), '500', 'further reads and writes of an organization that may wait'),
  ),
  MAX_PASSWORDS_AT_ONCE: shared(variable(wholeNumber(1, 64), '1', 'passwords hashed at the same time in a process')),

  OTEL_TRACES_EXPORTER: optional(
    z.enum(['otlp', 'none']).describe('otlp or none'),
    '',
    '`otlp` exports traces; so does an endpoint without this variable',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    httpUrl(),
    '`http://localhost:4318`',
    'the address of the collector; spans are sent to its path `/v1/traces`',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optional(httpUrl(), '', 'the full URL for spans, including the path'),
  OTEL_EXPORTER_OTLP_PROTOCOL: variable(z.string(), 'http/protobuf', 'the only protocol that the service supports'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: optional(
    z.string(),
    '`OTEL_EXPORTER_OTLP_PROTOCOL`',
    'the protocol for traces only',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: secret(optional(pairs(), '', 'headers for the collector, such as `api-key=…`')),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: secret(optional(pairs(), '', 'more headers, for traces only')),
  OTEL_SERVICE_NAME: optional(z.string(), '`entitlements-service`', 'the name of the service in traces'),
  OTEL_RESOURCE_ATTRIBUTES: optional(
    pairs(),
    '',
    'further attributes, such as `deployment.environment.name=production`',
  ),
  OTEL_TRACES_SAMPLER: variable(
    z.enum(samplers).describe(`one of ${samplers.join(', ')}`),
    'parentbased_always_on',
    'which traces are recorded',
  ),
  OTEL_TRACES_SAMPLER_ARG: variable(ratio(), '1', 'the fraction of traces that `traceidratio` records'),
  OTEL_BSP_SCHEDULE_DELAY: variable(wholeNumber(1, 600_000), '5000', 'milliseconds after which spans are sent'),
  OTEL_SDK_DISABLED: variable(trueOrFalse(), 'false', '`true`: no traces, whatever the other variables say'),
} satisfies Record<string, Variable<unknown>>
