import { getIntrospectionQuery } from 'graphql'

/** A request body that is costly to refuse or to start executing. Each fits the default body limit of 1 MiB. */
type HostileDocument = { name: string; body: string }

const mebibyte = 1_048_576

const times = (count: number, text: (n: number) => string) => Array.from({ length: count }, (_, n) => text(n)).join(' ')

/** Repeats a text until it fills the body. */
const filled = (piece: string, bytes = mebibyte - 2_000) =>
  piece.repeat(Math.floor(bytes / (Buffer.byteLength(JSON.stringify(piece)) - 2)))

const createFeature = 'mutation ($input: CreateFeatureInput!) { createFeature(input: $input) { key } }'
const putOverride = 'mutation ($input: PutOverrideInput!) { putOverride(input: $input) { id } }'
const createPlan = 'mutation ($input: CreatePlanInput!) { createPlan(input: $input) { key } }'

const nested = (levels: number, open: string, leaf: string, close: string) =>
  `${open.repeat(levels)}${leaf}${close.repeat(levels)}`

/** JSON as text, because some is too deep for JSON.stringify. */
const withVariables = (query: string, variables: string) =>
  `{"query":${JSON.stringify(query)},"variables":${variables}}`
const ofQuery = (query: string) => JSON.stringify({ query })

const members = (count: number, member: (n: number) => string) =>
  `{${Array.from({ length: count }, (_, n) => member(n)).join(',')}}`

const variables: [string, string, string][] = [
  ['1,000 unknown fields', createFeature, `{"input":${members(1_000, (n) => `"a${n}":1`)}}`],
  ['100,000 unknown fields', createFeature, `{"input":${members(90_000, (n) => `"a${n}":1`)}}`],
  ['100,000 names close to a known one', createFeature, `{"input":${members(50_000, (n) => `"descriptio${n}":1`)}}`],
  ['one unknown field of 1 MiB', createFeature, `{"input":{"${filled('a')}":1}}`],
  ['a value of 1 MiB where a Boolean belongs', putOverride, `{"input":{"allowed":"${filled('a')}"}}`],
  [
    'a list of 500,000 where an enum belongs',
    createFeature,
    `{"input":{"key":"a","name":"a","kind":[${filled('1,')}1]}}`,
  ],
  ['an enum value of 1 MiB', createFeature, `{"input":{"key":"a","name":"a","kind":"${filled('FLAG')}"}}`],
  ['260,000 grants that are no grants', createPlan, `{"input":{"key":"a","name":"a","grants":[${filled('{},')}{}]}}`],
  ['a list of 500,000 grants', createPlan, `{"input":{"key":"a","name":"a","grants":[${filled('1,')}1]}}`],
  [
    'a JSON value of 500,000 numbers',
    putOverride,
    `{"input":{"subscriberId":"a","featureKey":"a","kind":"CONFIG","value":[${filled('1,')}1]}}`,
  ],
  [
    'a JSON value of 340,000 objects',
    putOverride,
    `{"input":{"subscriberId":"a","featureKey":"a","kind":"CONFIG","value":[${filled('{},')}{}]}}`,
  ],
  [
    'a JSON value of 500,000 levels',
    putOverride,
    `{"input":{"subscriberId":"a","featureKey":"a","kind":"CONFIG","value":${nested(500_000, '[', '', ']')}}}`,
  ],
  ['500,000 levels where an object belongs', createFeature, `{"input":${nested(500_000, '[', '', ']')}}`],
  ['5,000 levels where an object belongs', createFeature, `{"input":${nested(5_000, '{"a":', '1', '}')}}`],
  ['100,000 variables that are not declared', '{ features { key } }', members(90_000, (n) => `"a${n}":1`)],
  [
    '1,300 variables of a wrong type',
    `query (${times(990, (n) => `$a${n}: Int`)}) { features { key } }`,
    members(990, (n) => `"a${n}":"${'x'.repeat(990)}"`),
  ],
  [
    'one value shared by 900 variables declared',
    `query (${times(900, (n) => `$a${n}: JSON`)}) { features { key } }`,
    members(900, (n) => `"a${n}":[${'1,'.repeat(500)}1]`),
  ],
]

const grant = (n: number) => `{"feature":"f${n}","kind":"LIMIT","limit":${n}}`
const list = (count: number, item: (n: number) => string) =>
  `[${Array.from({ length: count }, (_, n) => item(n)).join(',')}]`

const importLines = 'mutation ($lines: [ImportLineInput!]) { importSubscribers(input: { lines: $lines }) { lines } }'
const unknownFields = (line: number) => members(100, (n) => `"name${line}x${n}":1`)

/** Within all limits, so these are coerced and executed. */
variables.push(
  ['12,000 grants', createPlan, `{"input":{"key":"a","name":"a","grants":${list(12_000, grant)}}}`],
  [
    '49,000 options',
    createFeature,
    `{"input":{"key":"a","name":"a","kind":"CONFIG","options":${list(49_000, () => '"a"')}}}`,
  ],
  [
    'one fault behind 49,000 options',
    createFeature,
    `{"input":{"key":"a","name":"a","kind":"FLAG","options":[${'"a",'.repeat(49_000)}1]}}`,
  ],
  [
    '49,000 options that are numbers',
    createFeature,
    `{"input":{"key":"a","name":"a","kind":"CONFIG","valueType":"ENUM","options":${list(49_000, () => '1')}}}`,
  ],
  ['450 lines of a hundred unknown fields', importLines, `{"lines":${list(450, unknownFields)}}`],
  [
    'a filter of 450 objects of a hundred unknown fields, in ninety fields',
    `query ($params: [AuditParamInput!]) { user { ${times(90, (n) => `a${n}: auditEvents(filter: { params: $params }) { nodes { id } }`)} } }`,
    `{"params":${list(450, unknownFields)}}`,
  ],
  [
    'a fault beside a filter of 16,000 path values, in ninety fields',
    `query ($params: [AuditParamInput!], $first: Int) { user { ${times(90, (n) => `a${n}: auditEvents(first: $first, filter: { params: $params }) { nodes { id } }`)} } }`,
    `{"first":"x","params":${list(16_000, (n) => `{"name":"a${n}","value":"a"}`)}}`,
  ],
  ['9,900 unknown fields', createFeature, `{"input":${members(9_900, (n) => `"a${n}":1`)}}`],
  [
    'four objects of 9,900 fields where a Boolean belongs',
    putOverride,
    `{"input":{"allowed":${list(4, () => members(9_900, (n) => `"a${n}":1`))}}}`,
  ],
  [
    'a JSON value of 49,000 numbers',
    putOverride,
    `{"input":{"subscriberId":"a","featureKey":"a","kind":"CONFIG","value":${list(49_000, () => '1')}}}`,
  ],
)

const fragments = (count: number, of: (n: number) => string) =>
  times(count, (n) => `fragment F${n} on Query { ${of(n)} }`)

const documents: [string, string][] = [
  [
    'the same field 480 times with a long argument, within the limits',
    `{ subscriber(subscriberId: "a") { ${times(480, () => `override(feature: "${'x'.repeat(380)}") { id }`)} } }`,
  ],
  [
    'a chain of 49 fragments',
    `{ ...F0 } ${times(49, (n) => `fragment F${n} on Query { ...F${n + 1} __typename }`)} fragment F49 on Query { __typename }`,
  ],
  [
    '99 fragments that are compared with one another',
    `{ subscriber(subscriberId: "a") { ${times(99, (n) => `...F${n}`)} } } ${times(99, (n) => `fragment F${n} on Subscriber { name override(feature: "a") { id } }`)}`,
  ],
  [
    '4,900 lines before 480 errors',
    `${'\n'.repeat(4_900)}{ subscriber(subscriberId: "a") { ${times(480, (n) => `nope${n}`)} } }`,
  ],
  ['1 MiB of comments', `${filled('#\n')}{ features { key } }`],
  ['1 MiB of line breaks before an error', `${filled('\n')}{ nope }`],
  ['line breaks before 500 errors', `${filled('\n', 900_000)}{ ${times(480, (n) => `nope${n}`)} }`],
  ['1 MiB of commas', `{ features { key } ${filled(',')} }`],
  ['300,000 tokens', `{ ${filled('a ')} }`],
  ['a string of 1 MiB', `{ feature(key: "${filled('a')}") { key } }`],
  ['a string of 170,000 escapes', `{ feature(key: "${filled('\\u0041')}") { key } }`],
  ['a block string of 500,000 lines', `{ feature(key: """${filled(' \n')}""") { key } }`],
  ['a block string where an Int belongs', `{ subscribers(first: """${filled(' \n')}""") { nodes { name } } }`],
  ['a string of 1 MiB where an Int belongs', `{ subscribers(first: "${filled('a')}") { nodes { name } } }`],
  ['a name of 1 MiB', `{ ${filled('a')} }`],
  ['an enum of 1 MiB', `mutation { createFeature(input: { key: "a", name: "a", kind: ${filled('F')} }) { key } }`],
  [
    'a literal of 1,300 unknown fields',
    `mutation { createFeature(input: { ${times(1_300, (n) => `a${n}: 1`)} }) { key } }`,
  ],
  [
    'a literal of 1,300 long unknown fields',
    `mutation { createFeature(input: { ${times(1_300, (n) => `${'description'.repeat(70)}${n}: 1`)} }) { key } }`,
  ],
  [
    'a JSON literal of 1,900 values',
    `mutation { putOverride(input: { subscriberId: "a", featureKey: "a", kind: CONFIG, value: [${times(3_900, () => '1')}] }) { id } }`,
  ],
  [
    'a JSON literal of names',
    `mutation { putOverride(input: { subscriberId: "a", featureKey: "a", kind: CONFIG, value: [${times(3_900, () => 'EU')}] }) { id } }`,
  ],
  ['the same field 490 times', `{ features { ${times(490, () => 'key')} } }`],
  [
    'the same field 480 times with a long argument',
    `{ subscriber(subscriberId: "a") { ${times(480, () => `override(feature: "${'x'.repeat(2_000)}") { id }`)} } }`.slice(
      0,
      1_000_000,
    ),
  ],
  [
    'the same field 240 times with other arguments',
    `{ subscriber(subscriberId: "a") { ${times(240, (n) => `override(feature: "${'x'.repeat(4_000)}${n}") { id }`)} } }`,
  ],
  ['400 fragments', `{ ${times(400, (n) => `...F${n}`)} } ${fragments(400, () => '__typename')}`],
  [
    'a chain of 400 fragments',
    `{ ...F0 } ${times(399, (n) => `fragment F${n} on Query { ...F${n + 1} }`)} fragment F399 on Query { __typename }`,
  ],
  ['a circle of 400 fragments', `{ ...F0 } ${times(400, (n) => `fragment F${n} on Query { ...F${(n + 1) % 400} }`)}`],
  [
    '30 fragments that spread all others',
    `{ ...F0 } ${times(30, (n) => `fragment F${n} on Query { ${times(30, (m) => `...F${m}`)} }`)}`,
  ],
  [
    '60 fragments that spread all that come after',
    `{ ...F0 } ${times(40, (n) => `fragment F${n} on Query { __typename ${times(40 - n, (m) => `...F${n + m + 1}`)} }`)} fragment F40 on Query { __typename }`,
  ],
  [
    'fragments that double each time, with a wrong argument',
    `{ ...F0 } ${times(45, (n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`)} fragment F45 on Query { features(nope: 1) { key } }`,
  ],
  [
    'fragments in a circle through fields',
    `{ plans { ...A } } fragment A on Plan { grants { ...B } } fragment B on Grant { ...C } fragment C on Grant { feature ...B }`,
  ],
  ['unused fragments', `{ features { key } } ${fragments(400, () => '__typename')}`],
  ['500 operations', `${times(500, (n) => `query A${n} { __typename }`)}`],
  [
    '300 operations that share fragments',
    `${times(250, (n) => `query A${n} { ...F0 }`)} ${times(40, (n) => `fragment F${n} on Query { ...F${n + 1} __typename }`)} fragment F40 on Query { __typename }`,
  ],
  ['900 declared variables', `query (${times(900, (n) => `$a${n}: Int`)}) { features { key } }`],
  [
    '900 variables used and not declared',
    `{ subscriber(subscriberId: "a") { ${times(300, (n) => `override(feature: $a${n}) { id }`)} } }`,
  ],
  ['1,200 directives', `{ __typename ${times(900, (n) => `@a${n}`)} }`],
  ['1,000 includes', `{ features { key ${times(600, () => '@include(if: true)')} } }`],
  ['190 nested inline fragments', `{ ${nested(190, '... { ', '__typename', ' }')} }`],
  ['1,000 inline fragments beside each other', `{ ${times(900, () => '... { __typename }')} }`],
  ['500 unknown fields', `{ ${times(490, (n) => `featurs${n}`)} }`],
  ['500 unknown arguments', `{ features { key(${times(1_300, (n) => `a${n}: 1`)}) } }`],
  ['unknown types', `query (${times(900, (n) => `$a${n}: Featur${n}`)}) { features { key } }`],
  ['a type of 190 brackets', `query ($a: ${nested(190, '[', 'Int', ']')}) { features { key } }`],
  ['types of the schema', times(900, (n) => `type A${n} { b: C }`)],
  ['full introspection', getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true })],
  [
    'types, fields, types, fields',
    '{ __schema { types { fields { type { fields { name description type { name ofType { name } } } } } } } }',
  ],
  [
    'a hundred descriptions of each field',
    `{ __schema { types { fields { ${times(100, (n) => `a${n}: description`)} } } } }`,
  ],
  [
    '25 schemas',
    `{ ${times(25, (n) => `a${n}: __schema { types { name description fields { name description args { name description } } } }`)} }`,
  ],
]

export const hostileDocuments: HostileDocument[] = [
  ...variables.map(([name, query, values]) => ({ name: `variables: ${name}`, body: withVariables(query, values) })),
  ...documents.map(([name, query]) => ({ name, body: ofQuery(query) })),
]
