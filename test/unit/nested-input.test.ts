import { coerceInputValue, type GraphQLInputObjectType } from 'graphql'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { DomainError } from '../../src/core/errors.ts'
import { asMap, asScalar, fieldsOf, namedEnum, namedObject } from '../../src/core/field-type.ts'
import { cap, key, text, timestamp } from '../../src/core/fields.ts'
import { defineInput } from '../../src/core/input.ts'
import { inputSchemaOf } from '../../src/core/input-schema.ts'
import { builder } from '../../src/graphql/builder.ts'
import { defineInputType } from '../../src/graphql/input-type.ts'
import { inNamesOfGraphql, toOperationNames } from '../../src/graphql/names.ts'

/*
 * No operation takes objects within objects yet. The order of goods in this test does: it has a list of objects, and an object
 * within another.
 */

const item = namedObject(
  'OrderItemInput',
  z.strictObject({
    plan_id: key(),
    seat_limit: cap().optional(),
    unit: namedEnum('OrderUnit', { month: 'A month.', year: 'A year.' }, 'How long it lasts.'),
    starts_at: timestamp().optional(),
    tag_names: z.array(text(1, 5)).max(2).describe('at most 2 strings of 1 to 5 characters').optional(),
  }),
  'What is ordered.',
)

const address = namedObject('OrderAddressInput', z.strictObject({ zip_code: text(1, 10) }))
const buyer = namedObject('OrderBuyerInput', z.strictObject({ full_name: text(1, 20), postal_address: address }))

const order = defineInput(
  {
    order_items: z.array(item).min(1).max(5).describe('a list of 1 to 5 items'),
    buyer: buyer.optional(),
    settings: asScalar('JSON', z.unknown()).optional(),
    limits_by_key: asMap(z.unknown()).optional(),
  },
  { unknown: 'reject' },
)

// GraphQL has no maps, so only REST has the field.
const { limits_by_key: _, ...graphqlShape } = order.shape
const OrderInput = defineInputType('OrderInput', fieldsOf(graphqlShape))
builder.queryField('order', (t) => t.boolean({ args: { input: t.arg({ type: OrderInput }) }, resolve: () => true }))
builder.mutationField('order', (t) => t.boolean({ resolve: () => true }))
const schema = builder.toSchema()

const typeNamed = (name: string) => schema.getType(name) as GraphQLInputObjectType

function typesOf(name: string): Record<string, string> {
  return Object.fromEntries(Object.values(typeNamed(name).getFields()).map((field) => [field.name, `${field.type}`]))
}

/** Coerces the value as if it arrived at a resolver as a variable of this type. */
function coerce(variable: unknown): object {
  return coerceInputValue(variable, typeNamed('OrderInput')) as object
}

const refusalOverRest = (body: unknown) => fieldsRefused(async () => order.parse(body))
const refusalOverGraphql = (variable: unknown) =>
  fieldsRefused(() =>
    inNamesOfGraphql(order.fields, () => order.parse(toOperationNames(order.fields, coerce(variable)))),
  )

async function fieldsRefused(parse: () => Promise<unknown>): Promise<unknown> {
  const refusal: DomainError = await parse().then(
    () => expect.unreachable(),
    (error) => error,
  )
  return refusal.details?.fields
}

const keyAllowed = '1 to 64 lower-case letters, digits, underscores or dashes'

describe('an input with objects in a list and in other objects', () => {
  it('is read from REST', () => {
    const body = {
      order_items: [
        { plan_id: 'pro', unit: 'year', seat_limit: null, tag_names: ['a_b'] },
        { plan_id: 'free', unit: 'month', starts_at: '2027-01-31T09:00:00Z' },
      ],
      buyer: { full_name: 'Ann', postal_address: { zip_code: '10117' } },
      settings: { snake_case: { camelCase: 1 } },
      limits_by_key: { max_seats: 5 },
    }

    const { order_items, ...rest } = body
    expect(order.parse(body)).toEqual({
      ...rest,
      order_items: [order_items[0], { ...order_items[1], starts_at: new Date('2027-01-31T09:00:00Z') }],
    })
  })

  it('has an input type for each object in the GraphQL schema', () => {
    expect(typesOf('OrderInput')).toEqual({
      orderItems: '[OrderItemInput!]!',
      buyer: 'OrderBuyerInput',
      settings: 'JSON',
    })
    expect(typesOf('OrderItemInput')).toEqual({
      planId: 'ID!',
      seatLimit: 'SafeInt',
      unit: 'OrderUnit!',
      startsAt: 'DateTime',
      tagNames: '[String!]',
    })
    expect(typesOf('OrderBuyerInput')).toEqual({ fullName: 'String!', postalAddress: 'OrderAddressInput!' })
    expect(typesOf('OrderAddressInput')).toEqual({ zipCode: 'String!' })
  })

  it('gets REST names for its fields if it comes from GraphQL, but keeps names given by the vendor', () => {
    const coerced = coerce({
      orderItems: [{ planId: 'pro', unit: 'YEAR', seatLimit: 3, tagNames: ['aB'] }],
      buyer: { fullName: 'Ann', postalAddress: { zipCode: '10117' } },
      settings: { camelCase: { snake_case: 1 }, list: [{ someName: 1 }] },
    })

    expect(toOperationNames(order.fields, coerced)).toEqual({
      order_items: [{ plan_id: 'pro', unit: 'year', seat_limit: 3, tag_names: ['aB'] }],
      buyer: { full_name: 'Ann', postal_address: { zip_code: '10117' } },
      settings: { camelCase: { snake_case: 1 }, list: [{ someName: 1 }] },
    })
  })

  it('is refused with one detail for each wrong field, at its path in the names of the API', async () => {
    const rest = {
      order_items: [
        { plan_id: 'pro', unit: 'year' },
        { plan_id: 'Pro', unit: 'year', seat_limit: -1, tag_names: ['', 'toolong'] },
      ],
      buyer: { full_name: 'Ann', postal_address: { zip_code: '' } },
    }
    const graphql = {
      orderItems: [
        { planId: 'pro', unit: 'YEAR' },
        { planId: 'Pro', unit: 'YEAR', seatLimit: -1, tagNames: ['', 'toolong'] },
      ],
      buyer: { fullName: 'Ann', postalAddress: { zipCode: '' } },
    }

    const messages = [
      `… must be ${keyAllowed}.`,
      '… must be an integer from 0 to 9007199254740991, or null for unlimited.',
      '… must be a string of 1 to 5 characters.',
      '… must be a string of 1 to 5 characters.',
      '… must be a string of 1 to 10 characters.',
    ]
    const paths = (names: string[]) => names.map((path, at) => ({ path, message: messages[at]?.replace(/^\S+/, path) }))
    expect(await refusalOverRest(rest)).toEqual(
      paths([
        'order_items.1.plan_id',
        'order_items.1.seat_limit',
        'order_items.1.tag_names.0',
        'order_items.1.tag_names.1',
        'buyer.postal_address.zip_code',
      ]),
    )
    expect(await refusalOverGraphql(graphql)).toEqual(
      paths([
        'orderItems.1.planId',
        'orderItems.1.seatLimit',
        'orderItems.1.tagNames.0',
        'orderItems.1.tagNames.1',
        'buyer.postalAddress.zipCode',
      ]),
    )
  })

  it('is refused with a detail for each missing field, unknown field and item that is not an object', async () => {
    expect(
      await refusalOverRest({
        order_items: [{ plan: 'pro', unit: 'year' }, { unit: 'week', color: 'red' }, 'pro', null],
        buyer: { full_name: 'Ann' },
      }),
    ).toEqual([
      { path: 'order_items.1.plan_id', message: `order_items.1.plan_id is required: ${keyAllowed}.` },
      { path: 'order_items.1.unit', message: 'order_items.1.unit must be one of month, year.' },
      { path: 'order_items.2', message: 'order_items.2 must be an object.' },
      { path: 'order_items.3', message: 'order_items.3 must be an object.' },
      {
        path: 'order_items.0.plan',
        message: 'Unknown field "order_items.0.plan". Did you mean "plan_id"?',
      },
      {
        path: 'order_items.1.color',
        message: 'Unknown field "order_items.1.color". Allowed: plan_id, seat_limit, unit, starts_at, tag_names.',
      },
      { path: 'buyer.postal_address', message: 'buyer.postal_address is required: an object.' },
    ])
  })

  it.each([[[]], [5], [null], [{}], [Array(6).fill({ plan_id: 'pro', unit: 'year' })]])(
    'is refused with a single detail if the list itself is wrong: %j',
    async (items) => {
      expect(await refusalOverRest({ order_items: items })).toEqual([
        { path: 'order_items', message: 'order_items must be a list of 1 to 5 items.' },
      ])
    },
  )

  it('is described by JSON Schema down to the innermost field', () => {
    const { Order } = inputSchemaOf(order, 'Order').$defs as Record<string, object>
    expect(Order).toMatchObject({
      additionalProperties: false,
      required: ['order_items'],
      properties: {
        order_items: {
          minItems: 1,
          maxItems: 5,
          items: { required: ['plan_id', 'unit'], properties: { unit: { enum: ['month', 'year'] } } },
        },
        buyer: { properties: { postal_address: { properties: { zip_code: { minLength: 1, maxLength: 10 } } } } },
      },
    })
  })
})
