import type { OpenApiDocument } from '../openapi/document.ts'
import type { DescribedWebhook } from '../openapi/webhooks.ts'
import { type Html, html, prose } from './html.ts'
import { fieldsOf, parametersTable } from './tables.ts'

/** The request that a receiver gets for each event. */
export function eventsPart({ webhooks, ...document }: OpenApiDocument): Html {
  const events = Object.entries(webhooks)
  const [first] = events
  return html`<h2 id="events">Events</h2>
<p>The service sends a <code>POST</code> with a JSON body and these headers to the webhook's address.</p>
${first && parametersTable(first[1].post.parameters)}
${first && answersPart(first[1].post)}
${events.map(([type, { post }]) => eventSection(type, post, { webhooks, ...document }))}`
}

function answersPart({ responses }: DescribedWebhook): Html {
  const rows = Object.entries(responses).map(
    ([status, { description }]) => html`<p>${status === 'default' ? 'Otherwise' : status}: ${description}</p>`,
  )
  return html`<h3>Answers of the receiver</h3>${rows}`
}

function eventSection(type: string, { description, requestBody }: DescribedWebhook, document: OpenApiDocument): Html {
  const { schema, example } = requestBody.content['application/json']
  return html`<section id="${type}">
<h3><a href="#${type}">${type}</a></h3>
<p>${prose(description)}</p>
<h4>Body</h4>${fieldsOf(schema, document)}
${example !== undefined && html`<h4>Example of a body</h4><pre tabindex="0">${JSON.stringify(example, null, 2)}</pre>`}
</section>
`
}
