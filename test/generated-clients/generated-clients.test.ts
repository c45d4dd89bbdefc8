import { readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { describeRestApi } from '../../rest/openapi/document.ts'
import { exampleOf } from '../../rest/openapi/examples.ts'
import { operationIdOf } from '../../rest/openapi/operation-id.ts'
import type { Parameter } from '../../rest/openapi/parameters.ts'
import { restRoutes } from '../../rest/routes.ts'
import { toPascalCase } from '../../src/core/names.ts'
import { limitOf } from '../support/limit-of.ts'
import { run } from '../support/pack.ts'
import { startService } from '../support/service.ts'

/*
 * The project of a user of the service: with TypeScript 5, which the generators need, and packages of its own. It is copied,
 * so that nothing is installed in the repository.
 */

/** The same type as in `project/src/step.ts`, which is not compiled with the repository. */
type Step = { operationId: string; status: number; answer: unknown }
type Tour = (tourist: { baseUrl: string; key: string; email: string }) => Promise<Step[]>

const installMs = limitOf(300_000)
const service = await startService()
const document = describeRestApi()
const project = await mkdtemp(join(tmpdir(), 'generated-clients-'))
afterAll(() => rm(project, { recursive: true, force: true }))

const npm = (...parameters: string[]) => run(project, 'npm', ...parameters)

/** A compiled module of the project. */
function load<Module>(name: string): Promise<Module> {
  return import(pathToFileURL(join(project, 'compiled', name)).href)
}

beforeAll(async () => {
  await cp(new URL('project', import.meta.url), project, {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  })
  for (const [index, code] of readGuide().entries()) await writeFile(join(project, 'src', `guide-${index}.ts`), code)
  // The same tour with the client from the document in OpenAPI 3.0.
  const tour = readFileSync(join(project, 'src', 'tour-hey-api.ts'), 'utf8')
  await writeFile(join(project, 'src', 'tour-hey-api-3.0.ts'), tour.replaceAll('/hey-api/', '/hey-api-3.0/'))
  for (const name of ['openapi.json', 'openapi-3.0.json']) {
    const answer = await fetch(`${service.url}/${name}`)
    await writeFile(join(project, name), await answer.text())
  }
  await npm('ci', '--prefer-offline')
}, installMs)
beforeAll(() => npm('run', 'generate'), installMs)
// Also checks `types.ts` (what a developer expects of the types) and the code of the guide.
beforeAll(() => npm('run', 'compile'), installMs)

it('the documents have no findings in Spectral', () => npm('run', 'lint'), installMs)

describe.each(['openapi-fetch', 'hey-api', 'hey-api-3.0'])('a client generated for %s', (client) => {
  it('completes the tour, and the generated validators accept each answer', async () => {
    const { tour } = await load<{ tour: Tour }>(`tour-${client}.js`)
    const { key } = await service.organization()

    const steps = await tour({ baseUrl: service.url, key, email: `${crypto.randomUUID()}@example.org` })

    const refused = steps.filter(({ status }) => status >= 400).map(({ operationId, status }) => [operationId, status])
    expect(refused).toEqual([
      ['changeSubscription', 422],
      ['listPlans', 403],
    ])
    expect(steps.length).toBeGreaterThan(20)
    const validators = await loadValidators()
    for (const { operationId, status, answer } of steps) {
      if (status < 400) expect(validators.response(operationId).parse(answer), operationId).toEqual(answer)
    }
  })
})

describe.each(['orval-zod', 'orval-zod-3.0'])('the validators that orval generates in %s', (file) => {
  it('accept the example of every operation, and know each of its fields', async () => {
    const validators = await loadValidators(file)

    for (const { operation } of restRoutes) {
      const operationId = operationIdOf(operation)
      const { body, answer } = exampleOf(operation.name) as NonNullable<ReturnType<typeof exampleOf>>
      expect(validators.response(operationId).parse(answer), operationId).toEqual(answer)
      if (body !== undefined && operation.kind !== 'bulk_write') {
        expect(validators.body(operationId).parse(body), operationId).toEqual(body)
      }
      for (const [location, values] of parametersOf(operationId)) {
        expect(validators.parameters(operationId, location).parse(values), operationId).toMatchObject(values)
      }
    }
  })

  it.each([
    ['acme', true],
    ['cust_4711', true],
    ['Cpc-📦-é', true],
    ['of acme', false],
    ['acme/1', false],
    ['acme\u0000', false],
    ['acme\u0085', false],
    ['', false],
  ])('decide on the subscriber id %j as the service does', async (subscriberId, isRight) => {
    const body = { subscriber_id: subscriberId }
    const { rest } = await service.organization()

    expect((await loadValidators(file)).body('createSubscriber').safeParse(body).success).toBe(isRight)
    expect((await rest('POST', '/org/subscribers', body)).status).toBe(isRight ? 201 : 422)
  })

  it('accept a limit above the maximum of a page, as the service does', async () => {
    const validators = await loadValidators(file)

    expect(validators.parameters('listSubscribers', 'query').parse({ limit: 101 })).toEqual({ limit: 101 })
    expect(validators.parameters('listSubscribers', 'query').safeParse({ limit: 0 }).success).toBe(false)
  })
})

/** The code in docs/guides/generated-clients.md. */
function readGuide(): string[] {
  const guide = readFileSync('docs/guides/generated-clients.md', 'utf8')
  return Array.from(guide.matchAll(/```ts\n([\s\S]*?)```/g), ([, code = '']) => code)
}

type Validators = {
  body(operationId: string): z.ZodType
  response(operationId: string): z.ZodType
  parameters(operationId: string, location: 'path' | 'query'): z.ZodType
}

async function loadValidators(file = 'orval-zod'): Promise<Validators> {
  const schemas = await load<Record<string, z.ZodType>>(`generated/${file}.js`)
  const find = (operationId: string, suffix: string) => {
    const schema = schemas[`${toPascalCase(operationId)}${suffix}`]
    if (!schema) throw new Error(`orval made no ${suffix} for ${operationId}`)
    return schema
  }
  return {
    body: (operationId) => find(operationId, 'Body'),
    response: (operationId) => find(operationId, 'Response'),
    parameters: (operationId, location) => find(operationId, location === 'path' ? 'Params' : 'QueryParams'),
  }
}

/** The examples of an operation's parameters, by location. */
function parametersOf(id: string): Map<'path' | 'query', Record<string, unknown>> {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const { parameters = [] } = operations.find(({ operationId }) => operationId === id) ?? {}
  const withExample = parameters.filter((parameter) => parameter.example !== undefined && parameter.in !== 'header')
  const byLocation = Map.groupBy(withExample, (parameter: Parameter) => parameter.in as 'path' | 'query')
  return new Map([...byLocation].map(([location, each]) => [location, toValues(each)]))
}

function toValues(parameters: readonly Parameter[]): Record<string, unknown> {
  return Object.fromEntries(parameters.map(({ name, example }) => [name, example]))
}
