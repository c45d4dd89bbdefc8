import type { JsonSchema } from '../../src/core/input-schema.ts'
import type { OpenApiDocument } from '../openapi/document.ts'
import type { Parameter } from '../openapi/parameters.ts'
import { resolveSchema } from './components.ts'
import { type Html, html, prose } from './html.ts'
import { typeText } from './type-text.ts'

export function parametersTable(parameters: readonly Parameter[]): Html {
  return table(
    ['Parameter', 'In', 'Type', 'Meaning'],
    parameters.map(({ name, in: place, required, schema, description }) => [
      nameCell(name, !required),
      html`${place}`,
      typeText(schema),
      prose(description),
    ]),
  )
}

/** Tables of an object's fields; for a union, one table for each shape. */
export function fieldsOf(given: JsonSchema, document: OpenApiDocument): Html {
  const schema = resolveSchema(given, document)
  const shapes = (schema.oneOf as JsonSchema[] | undefined)?.map((shape) => resolveSchema(shape, document))
  if (!shapes) return fieldsTable(schema)
  return html`${shapes.map((shape, index) => html`<p>${shapeName(shape, index === 0)}</p>${fieldsTable(shape)}`)}`
}

function shapeName({ properties = {} }: JsonSchema, isFirst: boolean): Html {
  const constant = Object.entries(properties as Record<string, JsonSchema>).find(([, { const: value }]) => value)
  return constant
    ? html`With <code>${constant[0]}</code> <code>${String(constant[1].const)}</code>:`
    : html`${isFirst ? 'Either' : 'Or'}:`
}

function fieldsTable(schema: JsonSchema): Html {
  const rows = rowsOf(schema, '')
  return rows.length === 0 ? html`<p>${typeText(schema)}</p>` : table(['Field', 'Type', 'Meaning'], rows)
}

/** Fields of nested objects follow their parent, prefixed with its name. */
function rowsOf({ properties = {}, required = [] }: JsonSchema, place: string): Html[][] {
  return Object.entries(properties as Record<string, JsonSchema>).flatMap(([name, property]) => {
    const isOptional = !(required as string[]).includes(name)
    const inner = property.type === 'array' ? (property.items as JsonSchema) : property
    const path = `${place}${name}`
    return [
      [nameCell(path, isOptional), typeText(property), prose(String(property.description ?? ''))],
      ...(inner.properties ? rowsOf(inner, `${path}${inner === property ? '' : '[]'}.`) : []),
    ]
  })
}

function nameCell(name: string, isOptional: boolean): Html {
  return html`<code>${name}</code>${isOptional && html`<br><small>optional</small>`}`
}

export function table(heads: readonly string[], rows: readonly (readonly Html[])[]): Html {
  return html`<div class="table" tabindex="0"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`
}
