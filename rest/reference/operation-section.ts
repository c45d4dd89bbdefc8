import type { JsonSchema } from '../../src/core/input-schema.ts'
import type { Content, DescribedOperation } from '../openapi/describe-operation.ts'
import type { OpenApiDocument } from '../openapi/document.ts'
import { exampleOf } from '../openapi/examples.ts'
import { operationIdOf } from '../openapi/operation-id.ts'
import type { Refusals } from '../openapi/refusals.ts'
import { restRoutes } from '../routes.ts'
import { nameOf } from './components.ts'
import { type Html, html, join, prose } from './html.ts'
import { fieldsOf, parametersTable, table } from './tables.ts'
import { typeText } from './type-text.ts'

/** Examples are recorded under the operations' names. */
const nameById = new Map(restRoutes.map(({ operation }) => [operationIdOf(operation), operation.name]))

export type Described = { method: string; path: string; operation: DescribedOperation }

export function operationSection({ method, path, operation }: Described, document: OpenApiDocument): Html {
  const { operationId, summary, description, parameters = [], requestBody } = operation
  return html`<section id="${operationId}">
<h3><a href="#${operationId}">${summary}</a></h3>
<p class="route"><code>${method} ${path}</code></p>
<p>${prose(`${description} ${securityText(operation)}`)}</p>
${parameters.length > 0 && parametersTable(parameters)}
${requestBody && bodyPart(requestBody.content, document)}
${answerPart(operation, document)}
${refusalsPart(operation, document)}
${examplePart(method, operation)}
</section>
`
}

function securityText({ security }: DescribedOperation): string {
  if (security.length === 0) return 'Needs no credentials.'
  return 'bearer' in (security[0] as object) ? 'Needs a personal token.' : 'Needs an API key.'
}

function bodyPart(content: Content, document: OpenApiDocument): Html {
  const { 'application/json': json, 'application/x-ndjson': lines } = content
  if (json) return html`<h4>Body</h4>${fieldsOf(json.schema, document)}`
  return html`<h4>Body</h4><p>One JSON object per line (<code>application/x-ndjson</code>), of at most 64 KiB.</p>${fieldsOf(lines?.schema ?? {}, document)}`
}

function answerPart({ responses }: DescribedOperation, document: OpenApiDocument): Html {
  const [status, success] = Object.entries(responses)[0] as [string, DescribedOperation['responses'][string]]
  const content = 'content' in success ? success.content : undefined
  if (!content) return html`<h4>Answer</h4><p>${status}, without a body.</p>`
  const { schema = {} } = content['application/json'] ?? {}
  const fields =
    '$ref' in schema || 'anyOf' in schema
      ? html`<p>${status}, ${typeText(schema)}.</p>`
      : html`<p>${status}.</p>${fieldsOf(schema, document)}`
  const unchanged =
    '304' in responses && html`<p>304 without a body, if <code>If-None-Match</code> contains its tag.</p>`
  return html`<h4>Answer</h4>${fields}${unchanged}`
}

function refusalsPart({ responses }: DescribedOperation, { components }: OpenApiDocument): Html {
  const refused = Object.entries(responses).filter(([, response]) => '$ref' in response)
  const rows = refused.map(([status, response]) => {
    const name = (response as { $ref: string }).$ref.split('/').at(-1) as string
    const { description, content } = components.responses[name] as Refusals['components'][string]
    const { schema } = (content as Content)['application/json'] as { schema: JsonSchema }
    const bodies = ((schema.anyOf ?? [schema]) as { $ref: string }[]).map(({ $ref }) => nameOf($ref))
    // One body may be that of several codes.
    const links = description
      .split(', ')
      .map((code, index) => html`<a href="#${bodies[index] ?? bodies[0]}"><code>${code}</code></a>`)
    return [html`${status}`, join(links, ', ')]
  })
  return html`<details><summary>Errors</summary>${table(['Status', 'Codes'], rows)}</details>`
}

function examplePart(method: string, operation: DescribedOperation): Html | undefined {
  const example = exampleOf(nameById.get(operation.operationId) as string)
  if (!example) return undefined
  const credentials = operation.security.length === 0 ? '' : credentialsOf(operation)
  const isLines = operation.requestBody?.content['application/x-ndjson'] !== undefined
  const command = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$API${example.path}"${credentials}`,
    ...(example.body === undefined ? [] : [`  ${isLines ? linesArgument : '--json'} ${quoted(example.body)}`]),
  ]
  const answer = example.answer === undefined ? '' : `\n\n${JSON.stringify(example.answer, null, 2)}`
  return html`<h4>Example</h4><pre tabindex="0">${command.join(' \\\n')}${answer}</pre>`
}

const linesArgument = '-H "Content-Type: application/x-ndjson" --data-binary'

/** Quotes the body as one shell argument. Text is sent unchanged. */
function quoted(body: unknown): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function credentialsOf({ security }: DescribedOperation): string {
  return 'bearer' in (security[0] as object) ? ' -H "Authorization: Bearer $TOKEN"' : ' -H "X-API-Key: $KEY"'
}
